/** A team that requires a second factor of its members: who is refused, how soon, and who may require it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { oauthClients } from '../support/oauth-client.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
const { newTeam, call } = openTeams(kinora)
const { connected, mcp } = oauthClients(kinora)

const setFactor = ({ userId }: Person, isOn = true) =>
  app.sql`update public."user" set "twoFactorEnabled" = ${isOn} where id = ${userId}`
const addPasskey = ({ userId }: Person) => app.sql`
  insert into public."passkey" ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
  values (${userId}, 'key', ${userId}, ${userId}, 0, 'singleDevice', false)
`
const requires = (person: Person, id: string, secondFactorRequired = true) =>
  call<{ secondFactorRequired: boolean }>(person, id, 'PATCH', '/api/v1/team', { secondFactorRequired })
const read = (person: Person, id: string) =>
  call<{ secondFactorRequired: boolean; balance: object }>(person, id, 'GET', '/api/v1/team')
const becomes = (status: number, of: () => Promise<{ status: number }>) =>
  waitFor(`status ${status}`, async () => (await of()).status === status)

/** A team whose owner has a factor, and a member without. */
async function openTeam() {
  const { id, owner } = await newTeam({ credits: 100 })
  await setFactor(owner)
  const ben = await addMember(app, id, await kinora.person(), 'maker')
  return { id, owner, ben }
}
const required = async (owner: Person, id: string) => {
  await becomes(200, () => requires(owner, id))
}

test('403: member without a second factor of a team that requires one → refused within a second, admitted with one, refused without', async () => {
  const { id, owner, ben } = await openTeam()
  assert.equal((await read(ben, id)).data.secondFactorRequired, false)
  await required(owner, id)
  await becomes(403, () => read(ben, id))
  for (const [method, path, body] of [
    ['GET', '/api/v1/video/list', undefined],
    ['POST', '/api/v1/video/generate', { prompt: 'A boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }],
    ['DELETE', `/api/v1/team/members/${owner.userId}`, {}],
  ] as const) {
    const { status, error } = await call(ben, id, method, path, body)
    assert.deepEqual(
      [status, error?.code, error?.details],
      [403, 'FORBIDDEN', { reason: 'second_factor_missing' }],
      path,
    )
    assert.match(
      error?.message ?? '',
      /^This team requires a second factor of its members: set up an app with codes in Account/,
    )
  }
  assert.equal((await kinora.call('GET', '/api/v1/credit/balance', { as: ben })).status, 200)
  const { data } = await kinora.call<{ teams: object[] }>('GET', '/api/v1/teams', { as: ben })
  assert.partialDeepStrictEqual(data.teams, [{ id, secondFactorRequired: true }])
  await setFactor(ben)
  await becomes(200, () => read(ben, id))
  await setFactor(ben, false)
  await becomes(403, () => read(ben, id))
  await requires(owner, id, false)
  await becomes(200, () => read(ben, id))
})

test('403: passkey → counts in a session that it began, and not when it is removed', async () => {
  const { id, owner, ben } = await openTeam()
  await required(owner, id)
  await addPasskey(ben)
  await becomes(403, () => read(ben, id))
  await app.sql`update public."session" set "withPasskey" = true, "expiresAt" = "expiresAt" - interval '1 second' where "userId" = ${ben.userId}`
  await becomes(200, () => read(ben, id))
  await app.sql`delete from public."passkey" where "userId" = ${ben.userId}`
  await becomes(403, () => read(ben, id))
})

test('403: own API key and program of a member without a second factor → follow the member; API key of the team goes on', async () => {
  const { id, owner, ben } = await openTeam()
  const own = await kinora.call<{ key: string }>('POST', '/api/auth/api-key/create', { as: ben, body: { name: 'own' } })
  const { key } = JSON.parse(own.text) as { key: string }
  const asOwn = () => kinora.call('GET', '/api/v1/team', { headers: { 'x-api-key': key, 'x-team': id } })
  const ofTeam = await call<{ key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'server' })
  const asTeam = () => kinora.call('GET', '/api/v1/team', { headers: { 'x-api-key': ofTeam.data.key } })
  const program = await connected(ben, { owner: id })
  const asProgram = () => mcp(program.stored.tokens?.access_token ?? '')
  for (const each of [asOwn, asTeam, asProgram]) assert.equal((await each()).status, 200)
  await required(owner, id)
  await becomes(403, asOwn)
  await becomes(403, asProgram)
  assert.match((await asProgram()).text, /second factor/)
  assert.equal((await asTeam()).status, 200)
  await addPasskey(ben)
  await becomes(200, asOwn)
  await becomes(200, asProgram)
  assert.equal((await asTeam()).status, 200)
  await program.client.close()
})

test('403: who may require it → an owner who has a second factor; no admin, no key of the team, and nothing changes', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const cai = await addMember(app, id, await kinora.person(), 'admin')
  await setFactor(cai)
  const refused = await requires(owner, id)
  assert.deepEqual([refused.status, refused.error?.details], [403, { reason: 'second_factor_missing' }])
  const { data } = await call<{ key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'server' })
  const body = { name: 'Changed', secondFactorRequired: true }
  assert.equal((await kinora.call('PATCH', '/api/v1/team', { headers: { 'x-api-key': data.key }, body })).status, 403)
  for (const isOn of [true, false]) assert.equal((await requires(cai, id, isOn)).status, 403)
  const [team] = await app.sql`select name, requires_factor from kinora.team where id = ${id}`
  assert.deepEqual({ ...team }, { name: 'North', requiresFactor: false })
  assert.equal((await call(owner, id, 'PATCH', '/api/v1/team', {})).status, 400)
})

test('200: switch → in the log with both values, and not when nothing changes; owners alone read which member has a factor', async () => {
  const { id, owner, ben } = await openTeam()
  await required(owner, id)
  assert.equal((await requires(owner, id)).data.secondFactorRequired, true)
  assert.equal((await requires(owner, id, false)).data.secondFactorRequired, false)
  type Log = { entries: { action: string; actorId: string; before: Value; after: Value }[] }
  type Value = { required: boolean }
  const log = await call<Log>(owner, id, 'GET', '/api/v1/team/log')
  const switches = log.data.entries.filter(({ action }) => action === 'team.set-second-factor')
  const by = owner.userId
  assert.deepEqual(
    switches.map(({ actorId, before, after }) => `${actorId} ${before.required} ${after.required}`).toSorted(),
    [`${by} false true`, `${by} true false`],
  )
  type Members = { members: { userId: string; hasSecondFactor?: boolean }[] }
  const members = async (person: Person) =>
    (await call<Members>(person, id, 'GET', '/api/v1/team/members')).data.members
  const factors = Object.fromEntries((await members(owner)).map((each) => [each.userId, each.hasSecondFactor]))
  assert.deepEqual(factors, { [owner.userId]: true, [ben.userId]: false })
  assert.ok((await members(ben)).every((member) => !('hasSecondFactor' in member)))
})
