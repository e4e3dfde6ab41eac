/** Requests that two members of a team send alike: each makes its own film, and a repetition gets its sender's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const { app } = kinora
const { call, generate, newTeam } = openTeams(kinora)

async function openTeam() {
  const { id, owner } = await newTeam({ credits: 1000 })
  const members = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })] as const
  for (const member of members) await addMember(app, id, member)
  return { id, owner, members }
}

async function makersOf(id: string): Promise<(string | null)[]> {
  const rows = await app.sql<
    { madeBy: string | null }[]
  >`select made_by from kinora.video where user_id = ${id} order by id`
  return rows.map(({ madeBy }) => madeBy)
}

test('200: two members, one Idempotency-Key, same body → a film each, which each replays', async () => {
  const { id, members } = await openTeam()
  const send = async (member: Person) => {
    const { status, data, headers } = await call<{ uuid: string }>(
      member,
      id,
      'POST',
      '/api/v1/video/generate',
      generateBody,
      { 'idempotency-key': 'boat-1' },
    )
    assert.equal(status, 200)
    return { uuid: data.uuid, isReplay: headers.get('idempotent-replayed') === 'true' }
  }
  const [ann, ben] = members
  const [first, second] = [await send(ann), await send(ben)]
  assert.deepEqual([first.isReplay, second.isReplay], [false, false])
  assert.deepEqual(await send(ann), { uuid: first.uuid, isReplay: true })
  assert.deepEqual(await send(ben), { uuid: second.uuid, isReplay: true })
  assert.deepEqual((await makersOf(id)).sort(), [ann.userId, ben.userId].sort())
  const own = await kinora.generate(ann, {}, { 'idempotency-key': 'boat-1' })
  assert.equal(own.error?.code, 'INSUFFICIENT_CREDITS', 'the key of the own account is another one')
})

test('200: two members, one Idempotency-Key at once, another body each → a film each, and no 422', async () => {
  const { id, members } = await openTeam()
  const statuses = await Promise.all(
    members.map(async (member, n) => {
      const body = { ...generateBody, prompt: `Boat ${n}` }
      return (await call(member, id, 'POST', '/api/v1/video/generate', body, { 'idempotency-key': 'k' })).status
    }),
  )
  assert.deepEqual(statuses, [200, 200])
})

test('200: two API keys of a team, one Idempotency-Key → one film, as with two keys of a user', async () => {
  const { id, owner } = await openTeam()
  const uuids = new Set<string>()
  for (const name of ['web', 'batch']) {
    const { data } = await call<{ key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name, scopes: ['generate'] })
    const response = await fetch(`${kinora.url}/api/v1/video/generate`, {
      method: 'POST',
      headers: { 'x-api-key': data.key, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify(generateBody),
    })
    uuids.add(((await response.json()) as { data: { uuid: string } }).data.uuid)
  }
  assert.equal(uuids.size, 1)
  const byMember = await generate(owner, id)
  assert.ok(!uuids.has(byMember.data.uuid))
})

test('repeated request: same body of two members, without a key → a film each, which each gets again', async () => {
  const { id, members } = await openTeam()
  const body = { model: 'delta-1-5', prompt: 'A boat', duration: 4, aspect_ratio: '16:9', resolution: '720p' }
  const send = async (member: Person) => {
    const { status, text } = await call(member, id, 'POST', '/api/v1/videos', body)
    assert.equal(status, 202, text)
    return JSON.parse(text).id as string
  }
  const [ann, ben] = members
  const first = await send(ann)
  const second = await send(ben)
  assert.notEqual(second, first)
  assert.deepEqual([await send(ann), await send(ben)], [first, second])
})

test('repeated request: a numbered attempt of a member, whose body another member sent first → a film of its own', async () => {
  const { id, members } = await openTeam()
  const send = async (member: Person, attempt: number) => {
    const { status, text } = await call(
      member,
      id,
      'POST',
      '/v1/videos',
      { model: 'delta-1-5', prompt: 'A boat', seconds: '4', size: '1280x720' },
      { 'x-stainless-retry-count': String(attempt) },
    )
    assert.equal(status, 200, text)
    return JSON.parse(text).id as string
  }
  const [ann, ben] = members
  const first = await send(ann, 0)
  const second = await send(ben, 1)
  assert.notEqual(second, first)
  assert.deepEqual([await send(ann, 1), await send(ben, 2)], [first, second])
  assert.deepEqual(await makersOf(id), [ann.userId, ben.userId])
})
