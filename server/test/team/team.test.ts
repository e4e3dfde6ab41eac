/** Teams over HTTP: a balance of its own, members with roles and budgets, films with their makers. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { newTeam, call, generate, finish } = openTeams(kinora)

test('200: new team → its maker is the owner, it has no credits, and the owner’s own stay', async () => {
  const ann = await kinora.person()
  const { status, data } = await kinora.call('POST', '/api/v1/team', { as: ann, body: { name: ' North ' } })
  assert.equal(status, 200)
  assert.deepEqual([data.name, data.role, data.members], ['North', 'owner', 1])
  const { data: listed } = await kinora.call<{ teams: { id: string }[] }>('GET', '/api/v1/teams', { as: ann })
  assert.deepEqual(
    listed.teams.map(({ id }) => id),
    [data.id],
  )
  const team = await call<{ balance: { available: number }; role: string }>(ann, String(data.id), 'GET', '/api/v1/team')
  assert.deepEqual([team.data.role, team.data.balance.available], ['owner', 0])
  assert.equal((await kinora.balance(ann)).available, 60)
})

test('409: an owner of 19 teams makes two at the same time → one is made, and no other one', async () => {
  const ann = await kinora.person({ credits: 0 })
  // The id of a team begins with ff.
  const ids = Array.from({ length: 19 }, () => randomUUID().replace(/^../, 'ff'))
  const at = app.now()
  await app.sql`insert into kinora.team (id, name, created_at) select id, 'South', ${at} from unnest(${ids}::uuid[]) id`
  await app.sql`
    insert into kinora.team_member (team_id, user_id, role, created_at)
    select id, ${ann.userId}, 'owner', ${at} from unnest(${ids}::uuid[]) id
  `
  const make = () => kinora.call('POST', '/api/v1/team', { as: ann, body: { name: 'North' } })
  const made = await Promise.all([make(), make()])
  assert.deepEqual(made.map(({ status }) => status).sort(), [200, 409])
  const { error } = await make()
  assert.deepEqual([error?.code, error?.message], ['CONFLICT', 'You own 20 teams, which is the most.'])
})

test('200: a member generates → the team pays, list, history and detail name the member, and the member’s own are empty', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person())
  const made = await generate(ben, id)
  assert.equal(made.status, 200, made.text)
  const { uuid } = made.data
  await finish(owner, id, uuid)
  type List = { videos: { uuid: string; madeBy: string | null }[]; makers: object[]; total: number }
  const { data } = await call<List>(owner, id, 'GET', '/api/v1/video/list')
  assert.deepEqual([data.videos[0]?.uuid, data.videos[0]?.madeBy], [uuid, ben.userId])
  assert.deepEqual(data.makers, [{ id: ben.userId, name: 'Test User', kind: 'member' }])
  type History = { transactions: { videoUuid: string | null; credits: number; madeBy: string | null }[] }
  const { data: history } = await call<History>(owner, id, 'GET', '/api/v1/credit/history')
  const [spent] = history.transactions
  assert.deepEqual([spent?.videoUuid, spent?.credits, spent?.madeBy], [uuid, -16, ben.userId])
  const { data: detail } = await call(owner, id, 'GET', `/api/v1/video/${uuid}`)
  assert.deepEqual([detail.status, detail.madeBy], ['COMPLETED', ben.userId])
  const { data: own } = await kinora.call<List>('GET', '/api/v1/video/list', { as: ben })
  assert.deepEqual([own.total, (await kinora.balance(ben)).available], [0, 60])
  const { data: team } = await call<{ balance: { available: number; used: number } }>(owner, id, 'GET', '/api/v1/team')
  assert.deepEqual([team.balance.available, team.balance.used], [84, 16])
})

test('200: list by madeBy → the films of that member, counted', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person())
  const uuids = [await generate(owner, id), await generate(ben, id), await generate(owner, id)].map(
    (each) => each.data.uuid,
  )
  for (const uuid of uuids.slice(0, 2)) await finish(owner, id, uuid)
  for (const [maker, expected] of [
    [ben, [uuids[1]]],
    [owner, [uuids[2], uuids[0]]],
  ] as const) {
    const { data } = await call<{ videos: { uuid: string }[]; total: number }>(
      ben,
      id,
      'GET',
      `/api/v1/video/list?madeBy=${maker.userId}`,
    )
    assert.deepEqual([data.videos.map(({ uuid }) => uuid), data.total], [expected, expected.length])
  }
})

test('402: a member’s budget is spent → refused with the time of reset; others go on, and the budget is shown', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person())
  const budget = { credits: 20, period: 'month' }
  const set = await call(owner, id, 'PATCH', `/api/v1/team/members/${ben.userId}`, { budget })
  assert.equal(set.status, 200, set.text)
  assert.equal((await generate(ben, id)).status, 200)
  const refused = await generate(ben, id)
  assert.deepEqual([refused.status, refused.error?.code], [402, 'KEY_BUDGET_EXCEEDED'])
  assert.match(refused.error?.message ?? '', /you have used 16 of your 20 this month; your budget begins anew at 20/)
  assert.equal((await generate(owner, id)).status, 200)
  type Members = { members: { userId: string; budget: { used: number } | null; used: { month: number } }[] }
  const { data } = await call<Members>(ben, id, 'GET', '/api/v1/team/members')
  assert.deepEqual(
    data.members.map(({ userId, budget, used }) => [userId, budget?.used ?? null, used.month]),
    [owner, ben].map(({ userId }) => [userId, userId === ben.userId ? 16 : null, 16]).toSorted(),
  )
  await call(owner, id, 'PATCH', `/api/v1/team/members/${ben.userId}`, { budget: null })
  assert.equal((await generate(ben, id)).status, 200)
})

test('404: X-Team of no uuid, of no team, or of a team of others → the same error', async () => {
  const { id } = await newTeam({ credits: 0 })
  const eve = await kinora.person()
  const answers = await Promise.all(
    ['none', '', randomUUID(), id, `${id},${id}`].map((team) => call(eve, team, 'GET', '/api/v1/credit/balance')),
  )
  for (const { status, error } of answers) {
    assert.deepEqual([status, error?.code], [404, 'NOT_FOUND'])
    assert.equal(error?.message, 'There is no such team, or you are not a member of it.')
  }
})

test('404: films of a team → none of a member’s own, nor of another team of the same member', async () => {
  const [one, two] = [await newTeam({ credits: 100 }), await newTeam({ credits: 100 })]
  const ben = await addMember(app, two.id, await addMember(app, one.id, await kinora.person()))
  const { uuid } = (await generate(ben, one.id)).data
  const paths = [`/api/v1/video/${uuid}`, `/api/v1/video/task?uuid=${uuid}`, `/api/v1/video/${uuid}/share`]
  for (const path of paths) {
    assert.equal((await call(ben, two.id, 'GET', path)).status, 404, path)
    assert.equal((await kinora.call('GET', path, { as: ben })).status, 404, path)
  }
  assert.equal((await call(ben, two.id, 'DELETE', `/api/v1/video/${uuid}`)).status, 404)
  assert.equal((await call(ben, two.id, 'POST', `/api/v1/video/${uuid}/cancel`)).status, 404)
})

test('403: a maker changes another member’s film → refused; the own one and an admin’s change go through', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const [ben, cleo] = [
    await addMember(app, id, await kinora.person()),
    await addMember(app, id, await kinora.person(), 'admin'),
  ]
  const [ours, bens] = [(await generate(owner, id)).data.uuid, (await generate(ben, id)).data.uuid]
  const attempts: [string, string, object?][] = [
    ['DELETE', `/api/v1/video/${ours}`],
    ['POST', `/api/v1/video/${ours}/cancel`],
    ['PUT', `/api/v1/video/${ours}/share`, {}],
    ['DELETE', `/api/v1/video/${ours}/share`],
    ['POST', '/api/v1/video/delete', { uuids: [bens, ours] }],
    ['DELETE', `/v1/videos/${ours}`],
    ['POST', '/api/v1/video/arrange', { uuids: [bens, ours], favourite: true }],
    ['POST', '/api/v1/video/arrange', { uuids: [ours], folderId: null }],
  ]
  for (const [method, path, body] of attempts) assert.equal((await call(ben, id, method, path, body)).status, 403, path)
  const mine = { uuids: [bens], favourite: true }
  assert.equal((await call(ben, id, 'POST', '/api/v1/video/arrange', mine)).status, 200)
  assert.equal((await call(ben, id, 'DELETE', `/api/v1/video/${bens}`)).status, 200)
  assert.equal((await call(cleo, id, 'POST', `/api/v1/video/${ours}/cancel`)).status, 200)
})

test('403: a maker renames and deletes another member’s folder → refused; the own one and an admin’s change go through', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [ben, cleo] = [
    await addMember(app, id, await kinora.person()),
    await addMember(app, id, await kinora.person(), 'admin'),
  ]
  const make = (person: Person, name: string) =>
    call<{ id: string; madeBy: string }>(person, id, 'POST', '/api/v1/video/folders', { name })
  const [ours, bens] = [(await make(owner, 'Ours')).data, (await make(ben, 'Ben’s')).data]
  assert.deepEqual([ours.madeBy, bens.madeBy], [owner.userId, ben.userId])
  for (const [person, folder, expected] of [
    [ben, ours, 403],
    [ben, bens, 200],
    [cleo, ours, 200],
  ] as const) {
    const path = `/api/v1/video/folders/${folder.id}`
    assert.equal((await call(person, id, 'PATCH', path, { name: `Named ${folder.id}` })).status, expected)
    assert.equal((await call(person, id, 'DELETE', path)).status, expected)
  }
})

test('403: an admin sets the own budget → refused, also beside a role, which stays; of a colleague, and an owner’s own → set', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [cleo, dan] = [
    await addMember(app, id, await kinora.person(), 'admin'),
    await addMember(app, id, await kinora.person(), 'admin'),
  ]
  const change = (person: Person, target: Person, body: object) =>
    call(person, id, 'PATCH', `/api/v1/team/members/${target.userId}`, body)
  const budget = { credits: 10, period: 'day' }
  assert.equal((await change(owner, cleo, { budget })).status, 200)
  for (const body of [{ budget: null }, { budget: { ...budget, credits: 1000 } }, { role: 'maker', budget: null }]) {
    assert.equal((await change(cleo, cleo, body)).status, 403)
  }
  const { data } = await call<{ role: string; budget: { credits: number } }>(cleo, id, 'GET', '/api/v1/team')
  assert.deepEqual([data.role, data.budget.credits], ['admin', 10])
  assert.equal((await change(cleo, dan, { budget })).status, 200)
  assert.equal((await change(owner, owner, { budget })).status, 200)
})

test('404: a removed member → nothing of the team within a second, films stay, with a former member’s name', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person())
  await generate(ben, id)
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/members/${ben.userId}`)).status, 200)
  await assert.doesNotReject(async () => {
    const until = performance.now() + 1000
    while ((await call(ben, id, 'GET', '/api/v1/credit/balance')).status !== 404) assert.ok(performance.now() < until)
  })
  const { data } = await call<{ makers: object[] }>(owner, id, 'GET', '/api/v1/video/list')
  assert.deepEqual(data.makers, [{ id: ben.userId, name: null, kind: 'member' }])
})

test('409: two owners leave at the same time → one stays', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, owner } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person({ credits: 0 }), 'owner')
    const left = await Promise.all(
      [owner, ben].map((each) => call(each, id, 'DELETE', `/api/v1/team/members/${each.userId}`)),
    )
    assert.deepEqual(left.map(({ status }) => status).sort(), [200, 409])
    const [{ owners }] = await app.sql<[{ owners: number }]>`
      select count(*) as owners from kinora.team_member where team_id = ${id}
    `
    assert.equal(Number(owners), 1)
  }
})

test('403, 404: an admin and owners → neither removed, demoted nor limited; an admin makes no owner', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [cleo, ben] = [
    await addMember(app, id, await kinora.person(), 'admin'),
    await addMember(app, id, await kinora.person()),
  ]
  const change = (person: Person, target: string, body: object) =>
    call(person, id, 'PATCH', `/api/v1/team/members/${target}`, body)
  assert.equal((await change(cleo, owner.userId, { role: 'viewer' })).status, 403)
  assert.equal((await change(cleo, owner.userId, { budget: { credits: 1, period: 'day' } })).status, 403)
  assert.equal((await change(cleo, ben.userId, { role: 'owner' })).status, 403)
  assert.equal((await change(cleo, cleo.userId, { role: 'owner' })).status, 403)
  assert.equal((await call(cleo, id, 'DELETE', `/api/v1/team/members/${owner.userId}`)).status, 403)
  assert.equal((await change(ben, ben.userId, { role: 'admin' })).status, 403)
  assert.equal((await change(cleo, randomUUID(), { role: 'maker' })).status, 404)
  assert.equal((await change(cleo, ben.userId, { role: 'admin' })).status, 200)
  assert.equal((await change(owner, ben.userId, { role: 'owner' })).status, 200)
})

test('409: deletion of the account of a team’s last owner → refused; of another member → the membership goes', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(app, id, await kinora.person())
  const root = await kinora.person({ role: 'admin' })
  const remove = ({ userId }: Person) =>
    kinora.call('DELETE', `/api/v1/admin/users/${userId}`, { as: root, body: { reason: 'asked' } })
  const refused = await remove(owner)
  assert.deepEqual([refused.status, refused.error?.code], [409, 'CONFLICT'])
  assert.match(
    refused.error?.message ?? '',
    /last owner of a team: make another member of “North” an owner, or delete the team first/,
  )
  assert.deepEqual(refused.error?.details, { teams: [{ id, name: 'North' }] })
  assert.equal((await remove(ben)).status, 200)
  const members = await app.sql`select user_id from kinora.team_member where team_id = ${id}`
  assert.deepEqual(
    members.map(({ userId }) => userId),
    [owner.userId],
  )
})

test('403: the user’s own API key with a budget → does not act for a team; one without acts with its scopes', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const keyOf = async (limits: object) => {
    const { text } = await kinora.call('POST', '/api/auth/api-key/create', {
      as: owner,
      body: { name: 'k', ...limits },
    })
    return { 'x-api-key': JSON.parse(text).key, 'x-team': id }
  }
  const balance = (headers: Record<string, string>) => kinora.call('GET', '/api/v1/credit/balance', { headers })
  assert.equal((await balance(await keyOf({ budget: { credits: 5, period: 'day' } }))).status, 403)
  const reading = await keyOf({ scopes: ['read'] })
  assert.equal((await balance(reading)).status, 200)
  const refused = await kinora.call('POST', '/api/v1/video/generate', { headers: reading, body: { prompt: 'x' } })
  assert.deepEqual([refused.status, refused.error?.code], [403, 'INSUFFICIENT_SCOPE'])
  assert.equal((await kinora.call('DELETE', `/api/v1/team/members/${owner.userId}`, { headers: reading })).status, 403)
})

test('403: role and budget in one request, of which the role is refused → the budget stays', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const cleo = await addMember(app, id, await kinora.person({ credits: 0 }), 'admin')
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
  const change = { role: 'owner', budget: { credits: 1, period: 'day' } }
  assert.equal((await call(cleo, id, 'PATCH', `/api/v1/team/members/${ben.userId}`, change)).status, 403)
  const [row] = await app.sql`select budget from kinora.api_key where user_id = ${id} and id = ${ben.userId}`
  assert.equal(row, undefined)
  assert.equal((await call(owner, id, 'PATCH', `/api/v1/team/members/${ben.userId}`, change)).status, 200)
})

test('event stream of a team by the user’s own API key: the key gets a budget → it ends', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const create = await kinora.call('POST', '/api/auth/api-key/create', { as: owner, body: { name: 'k' } })
  const key = JSON.parse(create.text)
  const stream = await fetch(`${kinora.url}/api/v1/video/events`, { headers: { 'x-api-key': key.key, 'x-team': id } })
  assert.equal(stream.status, 200)
  const body = { keyId: key.id, budget: { credits: 5, period: 'day' } }
  const changed = await kinora.call('POST', '/api/auth/api-key/update', { as: owner, body })
  assert.equal(changed.status, 200, changed.text)
  assert.match(await stream.text(), /^retry/)
})

test('403: an administrator who impersonates an owner → neither invites, changes members, makes keys nor deletes the team', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const body = { userId: owner.userId }
  const { text } = await kinora.call('POST', '/api/auth/admin/impersonate-user', { as: root, body })
  const headers = { authorization: `Bearer ${JSON.parse(text).session.token}`, 'x-team': id }
  assert.equal((await kinora.call('GET', '/api/v1/team', { headers })).status, 200)
  for (const [method, path, body] of [
    ['POST', '/api/v1/team/invitations', { email: root.email, role: 'owner' }],
    ['PATCH', `/api/v1/team/members/${ben.userId}`, { role: 'owner' }],
    ['DELETE', `/api/v1/team/members/${ben.userId}`, undefined],
    ['POST', '/api/v1/team/keys', { name: 'k' }],
    ['DELETE', '/api/v1/team', {}],
  ] as const) {
    const refused = await kinora.call(method, path, { headers, body })
    assert.deepEqual([refused.status, refused.error?.code], [403, 'FORBIDDEN'], path)
    assert.match(refused.error?.message ?? '', /Stop impersonating first/)
  }
})
