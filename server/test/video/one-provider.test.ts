/** One AI provider is enough: the models that it serves work, and the others are neither listed nor accepted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { modelOf, models } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { startProcess } from '../support/processes.ts'

const kinora = await openKinora({ env: { PROVIDER_B_URL: '', PROVIDER_B_API_KEY: '' } })
// The shipped catalogue has no enabled model that only provider-b serves.
after(() => models().delete('only-b'))
models().set('only-b', { ...modelOf('delta-1-5'), id: 'only-b', name: 'Only B', routes: [{ account: 'provider-b' }] })

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://kinora@db.example/kinora',
  PUBLIC_URL: 'https://films.example',
  AUTH_SECRET: '4Nf0cUqkWbYh1pG7sTzVxR2eJm9LaD5i',
}
const providerB = { PROVIDER_B_URL: 'https://b.example', PROVIDER_B_API_KEY: 'key-b' }
const read = (env: Record<string, string>) => readConfig({ ...production, ...env }, accounts())

function problemsOf(env: Record<string, string>): string[] {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('production: settings of one provider → enough; of none, or half of them → the missing ones are named', () => {
  assert.deepEqual(Object.keys(read(providerB).providers), ['provider-b'])
  const [none, ...others] = problemsOf({})
  assert.match(none ?? '', /^No AI provider is set up: .*; <ID> is one of A, B, FAL, /)
  assert.deepEqual(others, [])
  assert.deepEqual(problemsOf({ ...providerB, PROVIDER_A_URL: 'https://a.example' }), [
    'PROVIDER_A_API_KEY is not set: key of the provider',
  ])
  assert.deepEqual(problemsOf({ ...providerB, PROVIDER_A_API_KEY: 'key-a' }), [
    'PROVIDER_A_URL is not set: address of an AI provider of `catalogue/providers.json`, such as `PROVIDER_A_URL` for provider-a, which has no public one; at least one provider is required',
  ])
})

test('production: no AI_CALLBACK_SECRET → derived from AUTH_SECRET, the same at every start', () => {
  const { callbackSecret, authSecret } = read(providerB)
  assert.match(callbackSecret, /^[\w-]{43}$/)
  assert.notEqual(callbackSecret, authSecret)
  assert.equal(read(providerB).callbackSecret, callbackSecret)
  const other = { ...providerB, AUTH_SECRET: 'qT8xWm2LrV5bKz9HcN4pGj7DsYf3Ua6E' }
  assert.notEqual(read(other).callbackSecret, callbackSecret)
})

test('200: models → those that the provider serves', async () => {
  const { data } = await kinora.call<{ models: { id: string }[] }>('GET', '/api/v1/config/models')
  assert.deepEqual(
    data.models.map(({ id }) => id),
    ['alpha-2', 'beta-3-1', 'delta-1-5'],
  )
})

test('400: model whose providers are not set up → MODEL_UNAVAILABLE', async () => {
  const ann = await kinora.person()
  const { status, error } = await kinora.generate(ann, { model: 'only-b' })
  assert.equal(status, 400)
  assert.equal(error?.code, 'MODEL_UNAVAILABLE')
  const unknown = await kinora.generate(ann, { model: 'none' })
  assert.match(unknown.error?.message ?? '', /choose one of alpha-2, beta-3-1, delta-1-5\.$/)
})

test('200: generate → the video names the providers that are set up, and no other', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  const [video] = await kinora.app.sql`select providers from kinora.video where id = ${data.uuid}`
  assert.deepEqual(video?.providers, ['provider-a'])
})

test('start-up: production with one provider → ready, and the log counts the models that it serves', async () => {
  const server = await startProcess(kinora, 'api', {
    ...production,
    DATABASE_URL: kinora.databaseUrl,
    AI_CALLBACK_SECRET: '',
    PROVIDER_A_URL: 'https://a.example',
    PROVIDER_A_API_KEY: 'key-a',
    LOG_LEVEL: 'info',
  })
  await server.logged('models; those that wait')
  const line = server.lines.find((each) => each.includes('models; those that wait')) ?? ''
  const listed = [...models().values()].filter((model) => model.listed && model.id !== 'only-b')
  const served = listed.filter(({ routes }) => routes.some(({ account }) => account === 'provider-a'))
  const { offered, waiting } = JSON.parse(line)
  assert.deepEqual({ offered, waiting }, { offered: served.length, waiting: listed.length - served.length })
  await server.stop()
})
