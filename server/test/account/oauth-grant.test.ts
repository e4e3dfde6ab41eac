/** What a program that is connected by OAuth acts for and may spend, how long it stays connected, and what ends it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeMember, setMemberBudget } from '../../src/account/team/team.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { oauthClients } from '../support/oauth-client.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
const { get, form, decide, connected, mcp, register, authorization, exchange } = oauthClients(kinora)
const { newTeam, call } = openTeams(kinora)
/** 16 credits. */
const film = { prompt: 'A paper boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }
type Connected = Awaited<ReturnType<typeof connected>>
const make = async ({ client }: Connected) => {
  const { isError, content } = await client.callTool({ name: 'generate_video', arguments: film })
  return isError ? ((content as { text: string }[])[0]?.text ?? '') : 'made'
}
const tokenOf = ({ stored }: Connected) => stored.tokens?.access_token ?? ''
const idOf = async (userId: string) => {
  const [row] = await app.sql<{ id: string }[]>`select id from public."oauthConsent" where "userId" = ${userId}`
  return row?.id ?? ''
}

test('OAuth: client that registered the grant refresh_token → a refresh token with any scope; goes on after an hour without its user', async () => {
  for (const url of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server/api/auth'])
    assert.deepEqual(JSON.parse((await get(url)).text).scopes_supported, ['read', 'generate'])
  const ann = await kinora.person()
  const program = await connected(ann)
  assert.equal(program.stored.url?.searchParams.get('scope'), 'read generate')
  const first = tokenOf(program)
  await app.sql`update public."oauthAccessToken" set "expiresAt" = now() where "userId" = ${ann.userId}`
  await app.sql`insert into kinora.credential_revocation (user_id) values (${ann.userId}) on conflict do nothing`
  await waitFor('the end of the token', async () => (await mcp(first)).status === 401)
  assert.equal(await make(program), 'made')
  assert.notEqual(tokenOf(program), first)
  await program.client.close()

  const { clientId } = await register({ grant_types: ['authorization_code'] })
  const { text } = await exchange(clientId, {
    code: (await decide(ann, authorization(clientId))).searchParams.get('code') ?? '',
  })
  assert.equal((JSON.parse(text) as { refresh_token?: string }).refresh_token, undefined)
})

test('OAuth: consent for a team → films and credits of that team alone; X-Team to another is refused', async () => {
  const { id: teamId, owner } = await newTeam({ credits: 100 })
  const other = await newTeam({ credits: 100 })
  const ann = await kinora.person({ credits: 60 })
  await addMember(app, teamId, ann, 'maker')
  await addMember(app, other.id, ann, 'viewer')
  const { clientId } = await register({ grant_types: ['authorization_code', 'refresh_token'] })
  const asked = await get(authorization(clientId, { scope: 'read generate' }).href.slice(kinora.url.length), ann)
  const page = await get(asked.headers.get('location') ?? '', ann)
  assert.ok(page.text.includes(`<option value="${teamId}">`) && page.text.includes('<option value="">Your own account'))
  assert.ok(!page.text.includes(other.id), 'a viewer cannot give what the program asks for')
  assert.match(page.text, /Stay connected until you disconnect it/)
  const query = (/name="query" value="([^"]*)"/.exec(page.text)?.[1] ?? '').replaceAll('&#38;', '&')
  assert.equal((await form('/oauth/consent', { decision: 'allow', query, owner: other.id }, ann)).status, 403)

  const program = await connected(ann, { owner: teamId })
  assert.equal(await make(program), 'made')
  assert.equal((await kinora.balance(ann)).available, 60)
  const { data } = await kinora.call<{ videos: { madeBy: string }[]; makers: object[] }>('GET', '/api/v1/video/list', {
    as: owner,
    headers: { 'x-team': teamId },
  })
  assert.equal(data.videos.length, 1)
  assert.deepEqual(data.makers, [{ id: await idOf(ann.userId), name: 'Test <b>client</b>', kind: 'program' }])
  const withTeam = (token: string, team: string) =>
    kinora.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'x-team': team },
    })
  assert.equal((await withTeam(tokenOf(program), teamId)).status, 200)
  assert.equal((await withTeam(tokenOf(program), other.id)).status, 403)
  const own = await connected(ann)
  assert.equal((await withTeam(tokenOf(own), teamId)).status, 403)
  for (const { client } of [program, own]) await client.close()
})

test('OAuth: budget → holds for films at once, is shown and changed in the list of programs, and ends with no other’s change', async () => {
  const [ann, eve] = [await kinora.person({ credits: 200 }), await kinora.person()]
  const program = await connected(ann, { credits: '20', period: 'month' })
  const outcomes = await Promise.all([make(program), make(program), make(program)])
  assert.equal(outcomes.filter((outcome) => outcome === 'made').length, 1)
  assert.match(
    outcomes.find((outcome) => outcome !== 'made') ?? '',
    /KEY_BUDGET_EXCEEDED.*this program has used 16 of its 20 this month/,
  )
  const shown = await get('/oauth/apps', ann)
  assert.match(shown.text, /16 credits used this month/)
  assert.match(shown.text, /value="20"/)
  const id = await idOf(ann.userId)
  const change = { id, action: 'budget', credits: '40', period: 'month' }
  await form('/oauth/apps', change, eve)
  assert.notEqual(await make(program), 'made')
  assert.equal((await form('/oauth/apps', change, ann)).status, 303)
  assert.equal(await make(program), 'made')
  for (const credits of ['0', '-1', '1.5', '1e3', '99999999999'])
    assert.equal((await form('/oauth/apps', { ...change, credits }, ann)).status, 400, credits)
  assert.notEqual(await make(program), 'made')
  assert.equal((await form('/oauth/apps', { ...change, credits: '' }, ann)).status, 303)
  assert.equal(await make(program), 'made')
  await program.client.close()
})

test('OAuth: programs of a member → count against the member’s budget in the team, theirs and the member’s films together', async () => {
  const { id: teamId, owner } = await newTeam({ credits: 1000 })
  const ann = await addMember(app, teamId, await kinora.person(), 'maker')
  const budget = { credits: 40, period: 'month' } as const
  await setMemberBudget(app, { teamId, userId: ann.userId, actorId: owner.userId, role: 'owner', budget })
  const programs = [
    await connected(ann, { owner: teamId }),
    await connected(ann, { owner: teamId, credits: '100', period: 'day' }),
  ]
  const outcomes = await Promise.all([...programs, ...programs].map(make))
  assert.equal(outcomes.filter((outcome) => outcome === 'made').length, 2)
  assert.match(outcomes.find((outcome) => outcome !== 'made') ?? '', /you have used 32 of your 40 this month/)
  const { status, error } = await kinora.generate(ann, film, { 'x-team': teamId })
  assert.deepEqual([status, error?.code], [402, 'KEY_BUDGET_EXCEEDED'])
  for (const { client } of programs) await client.close()
})

test('401: program of a team → ends within a second when the member is demoted below it, leaves, or the team is locked; joining again gives nothing back', async () => {
  const { id: teamId, owner } = await newTeam({ credits: 100 })
  const ann = await addMember(app, teamId, await kinora.person(), 'maker')
  const role = (role: 'viewer' | 'maker' | null) =>
    changeMember(app, { teamId, userId: ann.userId, actorId: owner.userId, role })
  const ended = (program: Connected) =>
    waitFor('the end of the program', async () => (await mcp(tokenOf(program))).status === 401)
  const demoted = await connected(ann, { owner: teamId })
  const own = await connected(ann)
  assert.equal((await mcp(tokenOf(demoted))).status, 200)
  const listed = async (as: Person, query: string) =>
    (await call<{ given: { kind: string }[] }>(as, teamId, 'GET', `/api/v1/team/members/${ann.userId}/given${query}`))
      .data.given
  for (const as of [ann, owner])
    assert.deepEqual(
      (await listed(as, '')).map(({ kind }) => kind),
      ['program'],
    )
  assert.equal((await listed(owner, '?role=viewer')).length, 1)
  assert.deepEqual(await listed(owner, '?role=admin'), [])
  await role('viewer')
  await ended(demoted)
  await role('maker')
  const removed = await connected(ann, { owner: teamId })
  await role(null)
  await ended(removed)
  await addMember(app, teamId, ann, 'maker')
  for (const program of [demoted, removed]) {
    const { client_id } = program.stored.client ?? { client_id: '' }
    const refresh_token = program.stored.tokens?.refresh_token ?? ''
    const refreshed = await form('/api/auth/oauth2/token', { grant_type: 'refresh_token', client_id, refresh_token })
    assert.equal(refreshed.status, 400)
    assert.equal((await mcp(tokenOf(program))).status, 401)
  }
  assert.equal((await mcp(tokenOf(own))).status, 200)
  const locked = await connected(ann, { owner: teamId })
  await kinora.call('POST', `/api/v1/admin/teams/${teamId}/lock`, {
    as: await kinora.person({ role: 'admin' }),
    body: { reason: 'test' },
  })
  await ended(locked)
  for (const { client } of [demoted, own, removed, locked]) await client.close()
})

test('OAuth: consent given again → the tokens of the one before end, and only the new owner is acted for', async () => {
  const { id: teamId } = await newTeam({ credits: 100 })
  const ann = await addMember(app, teamId, await kinora.person(), 'maker')
  const { clientId } = await register()
  const tokenFor = async (fields: object) => {
    const code = (await decide(ann, authorization(clientId, { prompt: 'consent' }), 'allow', fields)).searchParams.get(
      'code',
    )
    return (JSON.parse((await exchange(clientId, { code: code ?? '' })).text) as { access_token: string }).access_token
  }
  const first = await tokenFor({})
  assert.equal((await mcp(first)).status, 200)
  const second = await tokenFor({ owner: teamId })
  assert.equal((await mcp(second)).status, 200)
  await waitFor('the end of the first token', async () => (await mcp(first)).status === 401)
  // A consent that was not finished is asked for again.
  await app.sql`update public."oauthConsent" set "ownerId" = null where "userId" = ${ann.userId}`
  assert.match(
    (await get(authorization(clientId).href.slice(kinora.url.length), ann)).headers.get('location') ?? '',
    /^\/oauth\/consent/,
  )
})

test('200: owner of a team → sees which member connected which program, with scopes and budget, and disconnects it within a second; the log names both', async () => {
  const { id: teamId, owner } = await newTeam({ credits: 100 })
  const [ann, cai] = [
    await addMember(app, teamId, await kinora.person(), 'maker'),
    await addMember(app, teamId, await kinora.person(), 'admin'),
  ]
  const [program, own] = [await connected(ann, { owner: teamId, credits: '20', period: 'day' }), await connected(cai)]
  assert.equal(await make(program), 'made')
  const id = await idOf(ann.userId)
  type Program = { id: string; createdAt: string; budget: { resetAt: string } | null }
  const listed = async (as = owner) => call<{ programs: Program[] }>(as, teamId, 'GET', '/api/v1/team/programs')
  const { programs } = (await listed()).data
  assert.deepEqual(programs, [
    {
      id,
      name: 'Test <b>client</b>',
      scopes: ['read', 'generate'],
      budget: { credits: 20, period: 'day', used: 16, resetAt: programs[0]?.budget?.resetAt },
      used: { day: 16, week: 16, month: 16 },
      connectedBy: { id: ann.userId, name: 'Test User' },
      createdAt: programs[0]?.createdAt,
    },
  ])
  const end = (as: Person, which: string) => call(as, teamId, 'DELETE', `/api/v1/team/programs/${which}`)
  assert.deepEqual(
    [(await listed(cai)).status, (await end(cai, id)).status, (await end(ann, id)).status],
    [403, 403, 403],
  )
  assert.equal((await end(owner, await idOf(cai.userId))).status, 404, 'it acts for the member')
  assert.equal((await mcp(tokenOf(program))).status, 200)
  assert.equal((await end(owner, id)).status, 200)
  await assertRefusedWithinASecond(async () => (await mcp(tokenOf(program))).status)
  assert.deepEqual([(await listed()).data.programs, (await end(owner, id)).status], [[], 404])
  assert.equal((await mcp(tokenOf(own))).status, 200)

  const again = await connected(ann, { owner: teamId })
  const second = await idOf(ann.userId)
  await form('/oauth/apps', { id: second, action: 'disconnect' }, ann)
  const removed = await connected(ann, { owner: teamId })
  const third = await idOf(ann.userId)
  await changeMember(app, { teamId, userId: ann.userId, actorId: owner.userId, role: 'viewer' })
  type Entry = { action: string; by: string; actorId: string | null; subject: string; after: object | null }
  const log = (await call<{ entries: Entry[] }>(owner, teamId, 'GET', '/api/v1/team/log')).data.entries
  assert.deepEqual(
    log
      .filter(({ action }) => action.endsWith('-program'))
      .map(({ action, by, actorId, subject }) => [action, by, actorId, subject])
      .toReversed(),
    [
      ['team.connect-program', 'member', ann.userId, id],
      ['team.disconnect-program', 'member', owner.userId, id],
      ['team.connect-program', 'member', ann.userId, second],
      ['team.disconnect-program', 'member', ann.userId, second],
      ['team.connect-program', 'member', ann.userId, third],
      ['team.disconnect-program', 'service', null, third],
    ],
  )
  const name = 'Test <b>client</b>'
  assert.deepEqual(log.find(({ action }) => action === 'team.connect-program')?.after, {
    name,
    scopes: ['read', 'generate'],
    budget: null,
    period: null,
  })
  for (const { client } of [program, own, again, removed]) await client.close()
})
