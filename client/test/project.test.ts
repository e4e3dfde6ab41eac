// slow
/** Projects by the client against the real service: all films of one request, and the one film of the whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora as openService } from '../../server/test/support/harness.ts'
import { settingsOf } from '../../server/test/support/projects.ts'
import { openKinora } from '../src/index.ts'

const service = await openService({ simulator: true, worker: true })

async function begin(...prompts: string[]) {
  const person = await service.person({ credits: 200 })
  const kinora = openKinora({ baseUrl: service.url, token: person.token })
  const shots = prompts.map((prompt) => ({ settings: settingsOf(prompt) }))
  const { data } = await kinora.POST('/api/v1/project', { body: { name: 'The lighthouse', shots } })
  return { person, kinora, project: data ?? assert.fail('no project') }
}

test('generateProjectAndWait, renderAndWait: three shots → their films in their order, then the film of the whole', async () => {
  const { person, kinora, project } = await begin('Dawn', 'Noon', 'Night')
  const seen = new Set<string>()
  const options = { idempotencyKey: 'all', onProgress: ({ uuid }: { uuid: string }) => void seen.add(uuid) }
  const { data: films, error } = await kinora.generateProjectAndWait(project.id, { credits: 48 }, options)
  assert.equal(error, undefined)
  assert.deepEqual(
    films?.map(({ status, prompt }) => [status, prompt]),
    [
      ['COMPLETED', 'Dawn'],
      ['COMPLETED', 'Noon'],
      ['COMPLETED', 'Night'],
    ],
  )
  assert.deepEqual([...seen].sort(), films?.map(({ uuid }) => uuid).sort())
  const again = await kinora.generateProjectAndWait(project.id, { credits: 48 }, { idempotencyKey: 'all' })
  assert.deepEqual(
    again.data?.map(({ uuid }) => uuid),
    films?.map(({ uuid }) => uuid),
  )
  assert.equal((await service.balance(person)).used, 48)
  const { data: cut } = await kinora.renderAndWait(project.id)
  assert.deepEqual([cut?.status, cut?.duration], ['COMPLETED', 12])
})

test('generateProjectAndWait: one film fails → VIDEO_FAILED once all have ended; another price → nothing is made', async () => {
  const { person, kinora, project } = await begin('[fail: too dark]', '[slow: 1s]')
  const dearer = await kinora.generateProjectAndWait(project.id, { credits: 31 })
  assert.equal(dearer.error?.code, 'CONFLICT')
  assert.equal((await service.balance(person)).available, 200)
  const { error } = await kinora.generateProjectAndWait(project.id)
  assert.ok(error?.code === 'VIDEO_FAILED')
  assert.match(error.message, /too dark/)
  const { data } = await kinora.GET('/api/v1/project/{id}', { params: { path: { id: project.id } } })
  assert.deepEqual(
    data?.shots.flatMap(({ takes }) => takes.map(({ status }) => status)),
    ['FAILED', 'COMPLETED'],
  )
  const { error: refused } = await kinora.renderAndWait(project.id)
  assert.ok(refused?.code === 'CONFLICT')
  assert.match(refused.message, /Shot 1 has no finished take/)
})
