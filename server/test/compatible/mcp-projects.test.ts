// slow
/** The tools of `/mcp` for projects, by the protocol's own client, on a service that makes and renders films. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { settingsOf } from '../support/projects.ts'
import { customer } from './clients.ts'
import { connectMcp } from './mcp.ts'

const kinora = await openKinora({ simulator: true, worker: true })

type Shot = {
  id: string
  version: number
  takeId: string | null
  takes: { uuid: string; status: string; videoUrl?: string }[]
}
type Project = { id: string; version: number; shots: Shot[]; creditsUsed?: number; pollAfterSeconds?: number }

async function begin(prompts = ['A lighthouse at dawn', 'A boat comes closer']) {
  const ann = await customer(kinora)
  const { client, call } = await connectMcp(kinora.url, ann.apiKey)
  const shots = prompts.map((prompt) => ({ settings: settingsOf(prompt) }))
  const { data } = await call('create_project', { name: 'The lighthouse', shots })
  const project = data as Project
  const run = async (name: string, given: object = {}) => {
    const { data, ...rest } = await call(name, { project: project.id, ...given })
    return { ...rest, data: data as unknown as Project }
  }
  return { ann, client, call, project, run }
}

test('MCP: project from shots to one film → the sum before, all or none, one film of the whole', async () => {
  const { ann, client, call, run, project } = await begin()
  const { data: quoted } = await call('quote_project', { project: project.id })
  assert.deepEqual([quoted.credits, quoted.available, quoted.affordable], [32, 60, true])
  const refused = await run('generate_project', { maxCredits: 31 })
  assert.match(refused.text, /^INVALID_REQUEST: These 2 films cost 32 credits, more than the maxCredits of 31/)
  assert.equal((await kinora.balance(ann)).frozen, 0)

  const given = { maxCredits: 32, idempotencyKey: 'all' }
  const made = await run('generate_project', given)
  assert.deepEqual([made.isError, made.data.creditsUsed], [false, 32])
  const films = (read: Project) => read.shots.map(({ takeId }) => takeId)
  const again = await run('generate_project', given)
  assert.deepEqual(films(again.data), films(made.data))

  const seen: number[] = []
  const waited = await client.callTool(
    { name: 'get_project', arguments: { project: project.id, waitSeconds: 50 } },
    { onprogress: ({ progress }) => seen.push(progress) },
  )
  const done = waited.structuredContent as Project
  assert.deepEqual(
    done.shots.map(({ takes }) => takes.map(({ status }) => status)),
    [['COMPLETED'], ['COMPLETED']],
  )
  assert.ok(done.shots.every(({ takes: [take] }) => take?.videoUrl))
  assert.equal(done.pollAfterSeconds, undefined)
  assert.ok(seen.length > 0 && seen.every((each, i) => each > (seen[i - 1] ?? -1)), String(seen))

  const cut = await call('render_project', { project: project.id, waitSeconds: 50 })
  assert.deepEqual([cut.data.status, cut.data.duration, cut.data.creditsUsed], ['COMPLETED', 8, 0])
  assert.equal(cut.blocks.find(({ type }) => type === 'resource_link')?.mimeType, 'video/mp4')
  assert.equal(((await run('get_project')).data as { cutId?: string }).cutId, cut.data.uuid)
  assert.equal((await kinora.balance(ann)).used, 32)
  await client.close()
})

test('MCP: changes of a project → its order and shots; of an older version, or wrong → an error that says why', async () => {
  const { client, run, call, project } = await begin()
  const [first = assert.fail(), second = assert.fail()] = project.shots
  const added = await run('add_shots', { shots: [{ settings: settingsOf('Waves') }], after: first.id })
  const [, third = assert.fail()] = added.data.shots
  const shots = [second, third, first].map(({ id }) => id)
  const changed = await run('change_project', { version: added.data.version, shots })
  assert.deepEqual(
    changed.data.shots.map(({ id }) => id),
    shots,
  )
  const change = { shot: first.id, version: first.version, settings: settingsOf('A lighthouse by night') }
  assert.equal((await run('change_shot', change)).isError, false)
  assert.match((await run('change_shot', change)).text, /^CONFLICT: .* has changed this shot meanwhile; read it again/)
  assert.match((await run('change_project', { version: 1, name: 'Waves' })).text, /^CONFLICT: /)
  const wrong = { shot: third.id, version: third.version, settings: { resolution: '1080p' } }
  assert.ok((await run('change_shot', wrong)).isError)
  for (const [tool, given] of [
    ['change_shot', { shot: third.id, version: third.version, takeId: 'none' }],
    ['add_shots', { shots: [{ settings: {} }], after: 'none' }],
    ['quote_project', { shots: ['none'] }],
    ['get_project', { project: 'none' }],
  ] as const) {
    const { isError, text } = await run(tool, given)
    assert.ok(isError && !text.startsWith('INTERNAL'), `${tool}: ${text}`)
  }
  assert.equal((await run('delete_shot', { shot: third.id, version: third.version })).data.shots.length, 2)
  assert.match((await run('render_project')).text, /^CONFLICT: Shots 1, 2 have no finished take/)
  const { projects } = (await call('list_projects')).data as { projects: { id: string; shots: number }[] }
  assert.deepEqual(
    projects.map(({ id, shots }) => [id, shots]),
    [[project.id, 2]],
  )
  await client.close()
})

test('MCP: project of another account → NOT_FOUND; key that may only read → nothing is changed', async () => {
  const { ann, client, project } = await begin()
  const eve = await customer(kinora)
  const other = await connectMcp(kinora.url, eve.apiKey)
  for (const tool of ['get_project', 'quote_project', 'generate_project', 'render_project'])
    assert.match((await other.call(tool, { project: project.id })).text, /^NOT_FOUND: /)
  const body = { name: 'reader', scopes: ['read'] }
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body })
  const reader = await connectMcp(kinora.url, (JSON.parse(text) as { key: string }).key)
  assert.equal((await reader.call('get_project', { project: project.id })).isError, false)
  await assert.rejects(reader.call('create_project', { name: 'Another' }), /required "generate"/)
  await Promise.all([client.close(), other.client.close(), reader.client.close()])
})
