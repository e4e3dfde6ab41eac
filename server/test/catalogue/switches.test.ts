// slow
/** Models, accounts and routes off and on: `GET /api/v1/admin/models`, `PUT /api/v1/admin/switches`, kinora switch. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { ModelView } from '../../src/admin/models.ts'
import { readSwitches } from '../../src/catalogue/switches.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody, openKinora } from '../support/harness.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { readRow, waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const { app } = kinora
const root = await kinora.person({ role: 'admin', credits: 0 })
const ann = await kinora.person({ credits: 1_000_000 })
const port = await freePort()
const other = await startProcess(kinora, 'api', {
  ...{ PORT: String(port), PUBLIC_URL: app.config.publicUrl, MAX_IN_PROGRESS: '0' },
})
after(() => other.stop())
afterEach(async () => {
  await app.sql`truncate kinora.catalogue_switch`
  await readSwitches(app)
})

const reason = 'Half of its films are black'
type Change = { model?: string; account?: string; on: boolean; reason?: string }
const turn = (change: Change, as = root) =>
  kinora.call<{ changed: boolean }>('PUT', '/api/v1/admin/switches', { as, body: { reason, ...change } })
const models = async () =>
  (await kinora.call<{ models: ModelView[] }>('GET', '/api/v1/admin/models', { as: root })).data.models
const modelOf = async (id: string) => (await models()).find((model) => model.id === id) ?? assert.fail(id)
const offered = async () => {
  const { data } = await kinora.call<{ models: { id: string; enabled: boolean }[] }>('GET', '/api/v1/config/models')
  return new Map(data.models.map(({ id, enabled }) => [id, enabled]))
}
const entries = () => app.sql<{ after: { on: boolean }; subject: string; reason: string; actorId: string }[]>`
  select after, subject, reason, actor_id from kinora.audit where action = 'catalogue.switch' order by id
`
/** A request of the other process. */
const there = async (path: string, body: unknown) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { error?: { code: string }; data: { uuid: string } }
  return { status: response.status, ...answer }
}
const isOffThere = async () => (await there('/api/v1/video/quote', generateBody)).error?.code === 'MODEL_UNAVAILABLE'

test('switch: model off → refused, shown as unavailable, not in a compatible list; films in progress go on; on → as before', async () => {
  const { data: film } = await kinora.generate(ann)
  assert.deepEqual((await turn({ model: 'delta-1-5', on: false })).data, { changed: true })
  for (const url of ['/api/v1/video/generate', '/api/v1/video/quote']) {
    const { status, error } = await kinora.call('POST', url, { as: ann, body: generateBody })
    assert.deepEqual([status, error?.code], [400, 'MODEL_UNAVAILABLE'])
  }
  assert.equal((await offered()).get('delta-1-5'), false)
  const list = async () => (await kinora.call('GET', '/v1/models', { as: ann })).text.includes('delta-1-5')
  assert.equal(await list(), false)
  const { state, off } = await modelOf('delta-1-5')
  assert.deepEqual([state, off?.reason, off?.actorEmail], ['off', reason, root.email])
  assert.equal((await kinora.finish(ann, film.uuid)).status, 'COMPLETED')
  await turn({ model: 'delta-1-5', on: true, reason: 'Repaired' })
  assert.deepEqual([(await offered()).get('delta-1-5'), await list()], [true, true])
  assert.equal((await kinora.generate(ann)).status, 200)
  assert.deepEqual(
    (await entries()).map((entry) => ({ ...entry })),
    [
      { after: { on: false }, subject: 'delta-1-5', reason, actorId: root.userId },
      { after: { on: true }, subject: 'delta-1-5', reason: 'Repaired', actorId: root.userId },
    ],
  )
})

test('switch: route off → films go by the other; account off too → the model is unavailable and keeps its price', async () => {
  await turn({ model: 'delta-1-5', account: 'provider-b', on: false })
  const { data } = await kinora.generate(ann)
  assert.equal((await readRow(kinora, data.uuid)).provider, 'provider-a')
  const { state, routes } = await modelOf('delta-1-5')
  assert.deepEqual([state, routes.map((route) => route.state)], ['offered', ['off', 'in-use']])
  assert.deepEqual([routes[0]?.figures?.credits, routes[0]?.figures?.costUsd], [16, 0.2])
  await turn({ account: 'provider-a', on: false })
  assert.equal((await offered()).get('delta-1-5'), false)
  assert.equal((await offered()).get('alpha-2'), true)
  const both = await modelOf('delta-1-5')
  assert.deepEqual([both.state, both.off?.account], ['off', 'provider-b'])
  // A film that was accepted is sent all the same.
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
})

test('switch: repeated, unknown, without names or reason, by a user → unchanged, 404, 400, 403', async () => {
  const before = (await entries()).length
  const together = await Promise.all(Array.from({ length: 8 }, () => turn({ account: 'provider-a', on: false })))
  assert.equal(together.filter(({ data }) => data.changed).length, 1)
  assert.equal((await entries()).length, before + 1)
  assert.deepEqual((await turn({ account: 'provider-b', on: true })).data, { changed: false })
  const refused: [Change, number][] = [
    [{ model: 'none', on: false }, 404],
    [{ account: 'none', on: false }, 404],
    [{ model: 'delta-1-5', account: 'fal', on: false }, 404],
    [{ on: false }, 400],
    [{ model: 'delta-1-5', on: false, reason: ' ' }, 400],
  ]
  for (const [change, status] of refused) assert.equal((await turn(change)).status, status)
  assert.equal((await turn({ model: 'delta-1-5', on: false }, ann)).status, 403)
  assert.equal((await entries()).length, before + 1)
})

test('switch: two processes, requests at both meanwhile → each is refused or becomes a film; both follow', async () => {
  const outcomes: string[] = []
  let isDone = false
  const request = async (send: () => Promise<{ status: number; error?: { code: string } | undefined }>) => {
    while (!isDone) {
      const { status, error } = await send()
      outcomes.push(status === 200 ? 'film' : (error?.code ?? String(status)))
    }
  }
  const requests = [
    ...Array.from({ length: 3 }, () => request(() => kinora.generate(ann))),
    ...Array.from({ length: 3 }, () => request(() => there('/api/v1/video/generate', generateBody))),
  ]
  try {
    for (let round = 0; round < 3; round += 1) {
      await turn({ model: 'delta-1-5', on: false })
      await waitFor('the other process to follow', isOffThere)
      assert.equal((await kinora.generate(ann)).error?.code, 'MODEL_UNAVAILABLE')
      await turn({ model: 'delta-1-5', on: true })
      await waitFor('the other process to follow', async () => !(await isOffThere()))
      assert.equal((await kinora.generate(ann)).status, 200)
    }
  } finally {
    isDone = true
    await Promise.all(requests)
  }
  assert.deepEqual([...new Set(outcomes)].sort(), ['MODEL_UNAVAILABLE', 'film'])
})

test('kinora switch: off, list, on → all processes follow, with the service as the actor; a mistake → status 2 or 1', async () => {
  const off = await runCommand(kinora, ['switch', 'off', '--model', 'delta-1-5', '--reason', reason])
  assert.deepEqual(off, { status: 0, output: 'delta-1-5 is off.\n' })
  await waitFor('the other process to follow', isOffThere)
  const list = await runCommand(kinora, ['switch'])
  assert.match(list.output, /^delta-1-5 – off since .*Z: Half of its films are black\n$/)
  const on = ['switch', 'on', '--model', 'delta-1-5', '--reason', 'Repaired']
  assert.equal((await runCommand(kinora, on)).output, 'delta-1-5 is on.\n')
  assert.equal((await runCommand(kinora, on)).output, 'delta-1-5 was already on.\n')
  assert.equal((await entries()).at(-1)?.actorId, '00000000-0000-0000-0000-000000000000')
  assert.equal((await runCommand(kinora, ['switch', 'off', '--model', 'delta-1-5'])).status, 2)
  const unknown = await runCommand(kinora, ['switch', 'off', '--account', 'none', '--reason', reason])
  assert.deepEqual(unknown, { status: 1, output: 'There is no account "none" in catalogue/providers.json.\n' })
})
