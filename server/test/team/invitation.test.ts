/** Invitations to a team, by mail; API keys of a team; its deletion; what it has spent. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inviteMember } from '../../src/account/team/invitation.ts'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { makeFourKeysAtOnce } from '../support/keys-at-once.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { unzip } from '../support/unzip.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { sql } = app
const { newTeam, call, generate, finish } = openTeams(kinora)

type Invited = { id: string; link: string; email: string; role: string }
const invite = (person: Person, id: string, email: string, role?: string) =>
  call<Invited>(person, id, 'POST', '/api/v1/team/invitations', { email, ...(role && { role }) })
const tokenOf = ({ link }: Invited) => link.split('#team-invitation=')[1] ?? ''
const accept = (person: Person, token: string) =>
  kinora.call<{ teamId: string }>('POST', '/api/v1/team/invitations/accept', { as: person, body: { token } })

test('200: invitation → mailed in the language of the invited, accepted once, by its address alone', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [ben, eve] = [await kinora.person(), await kinora.person()]
  await sql`update public."user" set "language" = 'zh-Hans' where id = ${ben.userId}`
  const { status, data, text } = await invite(owner, id, ben.email.toUpperCase(), 'viewer')
  assert.equal(status, 200, text)
  assert.deepEqual([data.email, data.role], [ben.email, 'viewer'])
  const [mail] = await sql`select user_id, recipient, data, has_link from kinora.mail where kind = 'team.invitation'`
  assert.deepEqual(mail, {
    userId: ben.userId,
    recipient: ben.email,
    data: { team: 'North', inviter: 'Test User' },
    hasLink: true,
  })
  const open = (as: Person) =>
    kinora.call('POST', '/api/v1/team/invitations/open', { as, body: { token: tokenOf(data) } })
  assert.deepEqual((await open(ben)).data, { team: 'North', inviter: 'Test User', role: 'viewer' })
  for (const refused of [await open(eve), await accept(eve, tokenOf(data))]) assert.equal(refused.status, 404)
  const accepted = await accept(ben, tokenOf(data))
  assert.deepEqual([accepted.status, accepted.data.teamId], [200, id])
  assert.equal((await accept(ben, tokenOf(data))).status, 404)
  assert.equal((await call(ben, id, 'GET', '/api/v1/team')).data.role, 'viewer')
  assert.equal((await invite(owner, id, ben.email)).status, 409)
})

test('404: an invitation that was replaced, was revoked or has ended → not accepted', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const people = [await kinora.person(), await kinora.person(), await kinora.person()] as const
  const first = (await invite(owner, id, people[0].email)).data
  const second = (await invite(owner, id, people[0].email)).data
  assert.equal((await accept(people[0], tokenOf(first))).status, 404)
  assert.equal((await accept(people[0], tokenOf(second))).status, 200)
  const revoked = (await invite(owner, id, people[1].email)).data
  const { data } = await call<{ invitations: { id: string }[] }>(owner, id, 'GET', '/api/v1/team/invitations')
  assert.deepEqual(
    data.invitations.map((each) => each.id),
    [revoked.id],
  )
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/invitations/${revoked.id}`)).status, 200)
  assert.equal((await accept(people[1], tokenOf(revoked))).status, 404)
  const ended = (await invite(owner, id, people[2].email)).data
  kinora.turnClock(7 * 86_400_000)
  assert.equal((await accept(people[2], tokenOf(ended))).status, 404)
})

test('404: a team is deleted while one invites and another accepts → neither an invitation nor a member is left', async () => {
  const teamId = randomUUID()
  const ben = await kinora.person({ credits: 0 })
  const invitation = { teamId, actorId: randomUUID(), actorRole: 'owner', email: ben.email, role: 'maker' } as const
  await assert.rejects(inviteMember(app, invitation), { code: 'NOT_FOUND' })
  assert.equal((await sql`select from kinora.team_invitation where team_id = ${teamId}`).length, 0)
  const { id, owner } = await newTeam({ credits: 0 })
  const { data } = await invite(owner, id, ben.email)
  await sql`delete from kinora.team where id = ${id}`
  assert.equal((await accept(ben, tokenOf(data))).status, 404)
  assert.equal((await sql`select from kinora.team_member where team_id = ${id} and user_id = ${ben.userId}`).length, 0)
})

test('404: an invitation is revoked while it is accepted → not accepted', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await kinora.person({ credits: 0 })
  const { data } = await invite(owner, id, ben.email)
  let accepting: ReturnType<typeof accept> | undefined
  await sql.begin(async (tx) => {
    await tx`delete from kinora.team_invitation where id = ${data.id}`
    accepting = accept(ben, tokenOf(data))
    await waitFor('the acceptance to wait for the revocation', async () => {
      const waiting = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%team_invitation_accept%'
      `
      return waiting.length > 0
    })
  })
  assert.equal((await accepting)?.status, 404)
  assert.equal((await sql`select from kinora.team_member where team_id = ${id}`).length, 1)
})

test('200: a replaced invitation → has another id, and leads the list', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [ben, cleo] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const first = (await invite(owner, id, ben.email)).data
  await invite(owner, id, cleo.email)
  await invite(owner, id, ben.email)
  const { data } = await call<{ invitations: Invited[] }>(owner, id, 'GET', '/api/v1/team/invitations')
  assert.deepEqual(
    data.invitations.map(({ email }) => email),
    [ben.email, cleo.email],
  )
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/invitations/${first.id}`)).status, 404)
})

test('200: a team with 999 invitations that have ended → invites, and the sweep of retention removes them', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const at = app.now()
  await sql`
    insert into kinora.team_invitation (id, team_id, email, role, token_hash, actor_id, created_at, expires_at)
    select gen_random_uuid(), ${id}, n || '@example.com', 'maker', sha256(convert_to(${id}::text || n, 'UTF8')), ${owner.userId}, ${at}, ${at}
    from generate_series(1, 999) n
  `
  kinora.turnClock(1)
  assert.equal((await invite(owner, id, 'last@example.com')).status, 200)
  kinora.turnClock(86_400_000)
  await sweepOldRows(app)
  const left = await sql`select email from kinora.team_invitation where team_id = ${id}`
  assert.deepEqual([...left], [{ email: 'last@example.com' }])
})

test('409: the 1,000th member → is invited and accepts; the 1,001st is neither invited nor accepted', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [ben, cleo] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const ofBen = (await invite(owner, id, ben.email)).data
  await invite(owner, id, cleo.email)
  const addMembers = async (count: number) => {
    const ids = Array.from({ length: count }, () => randomUUID())
    await sql`
      insert into public."user" ("id", "name", "email", "emailVerified")
      select id, 'Test User', id || '@example.com', true from unnest(${ids}::text[]) id
    `
    await sql`
      insert into kinora.team_member (team_id, user_id, role, created_at)
      select ${id}, id, 'maker', ${app.now()} from unnest(${ids}::uuid[]) id
    `
  }
  await addMembers(997)
  const full = 'A team has at most 1000 members, open invitations included.'
  const { error } = await invite(owner, id, 'dan@example.com')
  assert.deepEqual([error?.code, error?.message], ['CONFLICT', full])
  const ofCleo = await invite(owner, id, cleo.email)
  assert.equal(ofCleo.status, 200)
  await addMembers(1)
  assert.equal((await accept(ben, tokenOf(ofBen))).status, 200)
  const refused = await accept(cleo, tokenOf(ofCleo.data))
  assert.deepEqual([refused.error?.code, refused.error?.message], ['CONFLICT', full])
  assert.equal((await sql`select from kinora.team_member where team_id = ${id}`).length, 1000)
})

test('200: ten acceptances of one invitation at the same time → one member, one success', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await kinora.person()
  const { data } = await invite(owner, id, ben.email)
  const statuses = (await Promise.all(Array.from({ length: 10 }, () => accept(ben, tokenOf(data))))).map(
    ({ status }) => status,
  )
  assert.deepEqual(
    statuses.filter((status) => status === 200),
    [200],
  )
  assert.equal((await sql`select from kinora.team_member where team_id = ${id}`).length, 2)
})

test('200: API key of a team → the team pays without X-Team, within its budget; it manages no members', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const body = { name: 'server', scopes: ['read', 'generate', 'account'], budget: { credits: 20, period: 'day' } }
  const made = await call<{ id: string; key: string }>(owner, id, 'POST', '/api/v1/team/keys', body)
  assert.equal(made.status, 200, made.text)
  const headers = { 'x-api-key': made.data.key }
  const film = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { headers, body: generateBody })
  assert.equal(film.status, 200, film.text)
  assert.equal((await kinora.call('POST', '/api/v1/video/generate', { headers, body: generateBody })).status, 402)
  type List = { videos: { madeBy: string }[]; makers: object[] }
  const { data } = await call<List>(owner, id, 'GET', '/api/v1/video/list')
  assert.deepEqual(
    [data.videos[0]?.madeBy, data.makers],
    [made.data.id, [{ id: made.data.id, name: 'server', kind: 'key' }]],
  )
  assert.equal((await kinora.call('GET', '/api/v1/key', { headers })).data.name, 'server')
  const token = await kinora.call<{ token: string }>('POST', '/api/v1/key/token', {
    headers,
    body: { scopes: ['read'] },
  })
  const asPage = { headers: { authorization: `Bearer ${token.data.token}` } }
  assert.equal((await kinora.call('POST', '/api/v1/video/quote', { ...asPage, body: generateBody })).data.available, 0)
  assert.equal((await kinora.call('GET', '/api/v1/credit/balance', asPage)).status, 403)
  type Team = { budget: { credits: number; used: number } | null; used: { day: number } }
  const team = (await kinora.call<Team>('GET', '/api/v1/team', { headers })).data
  assert.deepEqual([team.budget?.credits, team.budget?.used, team.used.day], [20, 16, 16])
  for (const [method, path] of [
    ['POST', '/api/v1/team/keys'],
    ['DELETE', `/api/v1/team/members/${owner.userId}`],
    ['DELETE', '/api/v1/team'],
    ['POST', '/api/v1/team'],
    ['GET', '/api/v1/account/export'],
  ] as const) {
    const body = method === 'POST' ? { name: 'x' } : {}
    const refused = await kinora.call(method, path, { headers, ...(method !== 'GET' && { body }) })
    assert.equal(refused.status, 403, path)
  }
  const listed = await call<{ apiKeys: { id: string; used: { day: number } }[] }>(owner, id, 'GET', '/api/v1/team/keys')
  assert.deepEqual(
    listed.data.apiKeys.map((key) => [key.id, key.used.day]),
    [[made.data.id, 16]],
  )
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/keys/${made.data.id}`)).status, 200)
  await assertRefusedWithinASecond(async () => (await kinora.call('GET', '/api/v1/key', { headers })).status)
})

test('200, 409: 100th key of a team → made; 101st → refused; of four at the same time with 98, two are made', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const make = () => call(owner, id, 'POST', '/api/v1/team/keys', { name: 'server' })
  assert.equal((await make()).status, 200)
  const made = await makeFourKeysAtOnce(sql, id, make)
  assert.deepEqual(made.map(({ status }) => status).sort(), [200, 200, 409, 409])
  for (const { error } of [...made.filter(({ status }) => status === 409), await make()])
    assert.deepEqual([error?.code, error?.message], ['CONFLICT', 'The team has 100 API keys, which is the most.'])
  assert.equal((await sql`select from public.apikey where "referenceId" = ${id}`).length, 100)
  await sql`delete from public.apikey where "referenceId" = ${id} and key = 'copy 1'`
  assert.equal((await make()).status, 200)
})

test('403: key of a team with an old sign-in → refused without the password', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  kinora.turnClock(11 * 60_000)
  const refused = await call(owner, id, 'POST', '/api/v1/team/keys', { name: 'k' })
  assert.deepEqual([refused.status, refused.error?.code], [403, 'FORBIDDEN'])
})

test('400, 403: deletion of a team with a wrong password, or with an old sign-in of an owner without one → kept', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  kinora.turnClock(11 * 60_000)
  const old = await call(owner, id, 'DELETE', '/api/v1/team', {})
  assert.deepEqual(
    [old.status, old.error?.message],
    [403, 'Your sign-in is a while ago. Sign in again, then delete it.'],
  )
  const password = 'correct horse battery'
  const body = { name: 'Dora', email: 'dora@example.com', password }
  const { text } = await kinora.call('POST', '/api/auth/sign-up/email', { body })
  const dora: { token: string } = JSON.parse(text)
  const authorization = `Bearer ${dora.token}`
  const made = await kinora.call<{ id: string }>('POST', '/api/v1/team', {
    headers: { authorization },
    body: { name: 'South' },
  })
  const headers = { authorization, 'x-team': made.data.id }
  const remove = (sent: object) => kinora.call('DELETE', '/api/v1/team', { headers, body: sent })
  for (const sent of [{}, { password: 'wrong horse battery' }]) {
    const refused = await remove(sent)
    assert.deepEqual([refused.status, refused.error?.message], [400, 'This is not your password.'])
  }
  assert.equal((await remove({ password })).status, 200)
})

test('200: deletion of a team → access ends, films are erased, books stay, and no user is listed or counted', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person())
  const { uuid } = (await generate(ben, id)).data
  await finish(ben, id, uuid)
  const users = async () =>
    Number((await sql<[{ users: number }]>`select sum(users) as users from kinora.user_count`)[0].users)
  const before = await users()
  assert.equal((await call(ben, id, 'DELETE', '/api/v1/team', {})).status, 403)
  assert.equal((await call(owner, id, 'DELETE', '/api/v1/team', {})).status, 200)
  assert.equal(await users(), before)
  await assertRefusedWithinASecond(async () => (await call(ben, id, 'GET', '/api/v1/credit/balance')).status, 404)
  const root = await kinora.person({ role: 'admin', credits: 0 })
  type Users = { users: { id: string }[] }
  const { data } = await kinora.call<Users>('GET', '/api/v1/admin/users?pageSize=100', { as: root })
  assert.ok(data.users.every((user) => user.id !== id))
  kinora.turnClock(3_600_000)
  await eraseDeletedAccounts(app)
  const [video] =
    await sql`select prompt, files_removed_at is not null as is_removed from kinora.video where id = ${uuid}`
  assert.deepEqual(video, { prompt: '', isRemoved: true })
  const [account] = await sql`select available::int, used::int from kinora.credit_account where user_id = ${id}`
  assert.deepEqual(account, { available: 84, used: 16 })
  const [erased] =
    await sql`select erased_at is not null as is_erased from kinora.deleted_account where user_id = ${id}`
  assert.deepEqual(erased, { isErased: true })
})

test('deletion of a team: its process dies in between → the sweep finishes it, with one entry in the audit log', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const { uuid } = (await generate(owner, id)).data
  const [row] = await sql`
    select kinora.team_delete(
      p_team_id => ${id}, p_actor_id => ${owner.userId}, p_email_hash => ${Buffer.from(id)}, p_request_id => 'request-1',
      p_reason => null, p_owed => 0, p_now => ${app.now()}
    ) as outcome
  `
  assert.equal(row?.outcome, 'deleted')
  await eraseDeletedAccounts(app)
  const [video] = await sql`select status, error from kinora.video where id = ${uuid}`
  assert.deepEqual([video?.status, video?.error], ['FAILED', 'Erased.'])
  const entries = await sql`select actor_id from kinora.audit where user_id = ${id} and action = 'account.delete'`
  assert.deepEqual([...entries], [{ actorId: owner.userId }])
})

test('200: usage by day, model and maker → what films have cost, without those that failed; as CSV too', async () => {
  const { id, owner } = await newTeam({ credits: 200 })
  const ben = await addMember(app, id, await kinora.person())
  await generate(ben, id)
  await generate(ben, id, { duration: 8 })
  const cancelled = (await generate(owner, id)).data.uuid
  await call(owner, id, 'POST', `/api/v1/video/${cancelled}/cancel`)
  await generate(owner, id)
  type Rows = { rows: { key: string | null; credits: number; videos: number }[]; makers: object[] }
  const read = async (by: string) => (await call<Rows>(owner, id, 'GET', `/api/v1/credit/usage?by=${by}`)).data.rows
  const today = app.now().toISOString().slice(0, 10)
  assert.deepEqual(await read('day'), [{ key: today, credits: 64, videos: 3 }])
  assert.deepEqual(await read('model'), [{ key: 'delta-1-5', credits: 64, videos: 3 }])
  assert.deepEqual(await read('maker'), [
    { key: ben.userId, credits: 48, videos: 2 },
    { key: owner.userId, credits: 16, videos: 1 },
  ])
  const csv = await fetch(`${kinora.url}/api/v1/credit/usage.csv?by=maker`, {
    headers: { authorization: `Bearer ${owner.token}`, 'x-team': id },
  })
  assert.equal(await csv.text(), `maker,credits,videos\r\n${ben.userId},48,2\r\n${owner.userId},16,1\r\n`)
  const ann = await kinora.person()
  await kinora.generate(ann)
  const own = await kinora.call<Rows>('GET', '/api/v1/credit/usage?by=maker', { as: ann })
  assert.deepEqual(own.data.rows, [{ key: null, credits: 16, videos: 1 }])
  const later = await kinora.call('GET', '/api/v1/credit/usage?from=2026-02-01&to=2026-01-01', { as: ann })
  assert.equal(later.status, 400)
})

test('200: list, history and usage by maker → members and API keys by name; a removed one and a deleted one by kind', async () => {
  const { id, owner } = await newTeam({ credits: 200 })
  const ben = await addMember(app, id, await kinora.person())
  await generate(ben, id)
  const key = (await call<{ id: string; key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'Robot' })).data
  const film = { headers: { 'x-api-key': key.key }, body: generateBody }
  assert.equal((await kinora.call('POST', '/api/v1/video/generate', film)).status, 200)
  const kinds = [
    { id: ben.userId, kind: 'member' },
    { id: key.id, kind: 'key' },
  ].sort((a, b) => (a.id < b.id ? -1 : 1))
  const admin = await kinora.person({ role: 'admin' })
  const assertNames = async (names: Record<string, string | null>) => {
    const expected = kinds.map((each) => ({ ...each, name: names[each.kind] }))
    const read = async (path: string) =>
      (await call<{ makers: object[] }>(owner, id, 'GET', `/api/v1/${path}`)).data.makers
    for (const path of [
      'video/list',
      'credit/history',
      'credit/history?transType=VIDEO_CONSUME',
      'credit/usage?by=maker',
    ])
      assert.deepEqual(await read(path), expected, path)
    const { data } = await kinora.call('GET', `/api/v1/admin/users/${id}/history`, { as: admin })
    assert.deepEqual(data.makers, expected)
    assert.deepEqual(await read('credit/usage?by=day'), [])
  }
  await assertNames({ member: 'Test User', key: 'Robot' })
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/keys/${key.id}`)).status, 200)
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/members/${ben.userId}`)).status, 200)
  await assertNames({ member: null, key: null })
  assert.deepEqual((await kinora.call('GET', '/api/v1/credit/history', { as: ben })).data.makers, [])
})

test('event stream of a team: a member is removed → it ends within a second, another member’s goes on', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person())
  const open = async (person: Person) => {
    const response = await fetch(`${kinora.url}/api/v1/video/events`, {
      headers: { authorization: `Bearer ${person.token}`, 'x-team': id },
    })
    assert.equal(response.status, 200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.ok(reader)
    return reader
  }
  const [owners, bens] = [await open(owner), await open(ben)]
  const { uuid } = (await generate(ben, id)).data
  let seen = ''
  while (!seen.includes(uuid)) seen += (await owners.read()).value ?? ''
  await call(owner, id, 'DELETE', `/api/v1/team/members/${ben.userId}`)
  const startMs = performance.now()
  while (!(await bens.read()).done);
  assert.ok(performance.now() - startMs < 5_000)
  const next = (await generate(owner, id)).data.uuid
  seen = ''
  while (!seen.includes(next)) seen += (await owners.read()).value ?? ''
  await owners.cancel()
})

test('compatible formats, MCP: X-Team → the team’s films and balance', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const made = await call<never>(owner, id, 'POST', '/v1/videos', {
    prompt: 'boat',
    model: 'delta-1-5',
    seconds: '4',
    size: '1280x720',
  })
  assert.equal(made.status, 200, made.text)
  const { uuid } = (await generate(owner, id)).data
  const listed = await call(owner, id, 'GET', '/v1/videos')
  assert.ok(listed.text.includes(uuid))
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_credits', arguments: {} } }
  const balance = await call(owner, id, 'POST', '/mcp', rpc, { accept: 'application/json, text/event-stream' })
  assert.match(balance.text, /"available":68/)
  assert.equal((await kinora.call('GET', `/v1/videos/${uuid}`, { as: owner })).status, 404)
})

test('200: export of an account → names the teams of the user', async () => {
  const { owner } = await newTeam({ credits: 0 })
  const response = await fetch(`${kinora.url}/api/v1/account/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  assert.match(await response.text(), /"teams":\s*\[\s*\{\s*"name":\s*"North",\s*"role":\s*"owner"/)
})

test('200: export of a team by its owner → members, keys, films with their makers, history; by a link, which names the team', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const cleo = await addMember(app, id, await kinora.person(), 'admin')
  const { uuid } = (await generate(cleo, id)).data
  await finish(owner, id, uuid)
  const made = await call<{ key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'Robot' })
  const download = (person: Person, path = `/api/v1/team/export?team=${id}`) =>
    fetch(kinora.url + path, { headers: { authorization: `Bearer ${person.token}` } })
  const response = await download(owner)
  assert.equal(response.status, 200)
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const json = (name: string) => JSON.parse(files.get(`${name}.json`)?.toString() ?? 'null')
  const { team, members, apiKeys, credits, user } = json('account')
  assert.deepEqual([team.id, team.name, credits.available, user], [id, 'North', 84, undefined])
  assert.deepEqual(
    members.map((member: { email: string }) => member.email),
    [owner.email, cleo.email],
  )
  assert.deepEqual(apiKeys[0].name, 'Robot')
  assert.ok(![...files.values()].some((file) => file.includes(made.data.key)))
  assert.deepEqual([json('videos')[0].id, json('videos')[0].madeBy], [uuid, cleo.userId])
  assert.ok(files.has(`videos/${uuid}.mp4`))
  assert.equal(json('history').length, 2)

  assert.equal((await download(cleo)).status, 403)
  assert.equal((await download(await kinora.person())).status, 404)
  assert.equal((await download(owner, '/api/v1/team/export')).status, 400)
  const csv = await (await download(cleo, `/api/v1/credit/usage.csv?by=maker&team=${id}`)).text()
  assert.equal(csv, `maker,credits,videos\r\n${cleo.userId},16,1\r\n`)
  // Only a download has a link.
  const balance = await download(cleo, `/api/v1/credit/balance?team=${id}`)
  assert.equal(balance.status, 400)
})

test('404: an id of no key, invitation or member of the team → not found', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  for (const path of ['keys', 'invitations', 'members']) {
    for (const each of [randomUUID(), 'none']) {
      assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/${path}/${each}`)).status, 404, path)
    }
  }
})
