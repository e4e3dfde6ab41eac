/** The environment of the server: which settings are generated, and which are left to the operator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsSimulator, serverEnvironment } from '../src/environment.ts'
import { temporaryDir } from './cli-process.ts'

const GENERATED = ['PROVIDER_A_API_KEY', 'PROVIDER_B_API_KEY', 'PROVIDER_B_WEBHOOK_KEY']

test('npm start: own PROVIDER_B_URL → no key of provider-b is generated; provider-a is simulated', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  const env = serverEnvironment({ PROVIDER_B_URL: 'https://provider-b.example' }, services)
  assert.equal(env.PROVIDER_B_URL, 'https://provider-b.example')
  assert.deepEqual(
    GENERATED.filter((name) => env[name] !== undefined),
    ['PROVIDER_A_API_KEY'],
  )
  assert.match(env.PROVIDER_A_URL ?? '', /^http:\/\/127\.0\.0\.1:9000\//)
})

test('npm start: own URLs and keys of both providers → no other key is generated', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: null }
  const own = {
    PROVIDER_A_URL: 'https://provider-a.example',
    PROVIDER_A_API_KEY: 'own key a',
    PROVIDER_B_URL: 'https://provider-b.example',
    PROVIDER_B_API_KEY: 'own key b',
  }
  const env = serverEnvironment(own, services)
  assert.deepEqual(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('PROVIDER_'))), own)
})

test('npm start: no settings → the simulator’s keys are generated, once', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  const first = serverEnvironment({}, services)
  for (const name of GENERATED) assert.match(first[name] ?? '', /^[\w-]{43}$/, name)
  assert.deepEqual(serverEnvironment({}, services), first)
})

test('npm start: key `simulator` of a provider → a simulator runs, and the server knows its address', (t) => {
  const own = { PROVIDER_A_URL: 'https://a.example', PROVIDER_B_URL: 'https://b.example' }
  assert.equal(needsSimulator(own), false)
  assert.equal(needsSimulator({ ...own, PROVIDER_FAL_API_KEY: 'simulator' }), true)
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  assert.equal(serverEnvironment(own, services).PROVIDER_SIMULATOR_URL, 'http://127.0.0.1:9000')
})

test('npm start: own webhook key for the simulated provider-b → kept', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  assert.equal(serverEnvironment({ PROVIDER_B_WEBHOOK_KEY: 'own' }, services).PROVIDER_B_WEBHOOK_KEY, 'own')
})

test('npm start: compile cache → in the data folder, unless the operator names another', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  assert.equal(serverEnvironment({}, services).NODE_COMPILE_CACHE, `${services.dataDir}/cache`)
  assert.equal(serverEnvironment({ NODE_COMPILE_CACHE: '/own' }, services).NODE_COMPILE_CACHE, '/own')
})

test('npm start: PORT that is none → the simulator’s addresses are still URLs, and the server reports PORT', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  const env = serverEnvironment({ PORT: 'abc' }, services)
  assert.equal(env.PORT, 'abc')
  for (const name of ['PAYMENT_A_WEBHOOK_URL', 'PAYMENT_B_WEBHOOK_URL', 'AI_CALLBACK_URL'])
    assert.ok(URL.canParse(env[name] ?? ''), name)
})

test('npm start: callback address → loopback for the simulator alone; beside an own provider the server’s default', (t) => {
  const services = { dataDir: temporaryDir(t), database: null, simulatorPort: 9000 }
  const callbackOf = (settings: NodeJS.ProcessEnv, simulatorPort: number | null = 9000) =>
    serverEnvironment({ PUBLIC_URL: 'https://films.example.com', ...settings }, { ...services, simulatorPort })
      .AI_CALLBACK_URL
  const [a, b] = [{ PROVIDER_A_URL: 'https://a.example' }, { PROVIDER_B_URL: 'https://b.example' }]
  assert.equal(callbackOf({}), 'http://127.0.0.1:8080/api/v1/video/callback')
  assert.equal(callbackOf(a), undefined)
  assert.equal(callbackOf(b), undefined)
  assert.equal(callbackOf({ ...a, ...b }, null), undefined)
  assert.equal(callbackOf({ PROVIDER_FAL_API_KEY: 'own' }), undefined)
  assert.equal(callbackOf({ PROVIDER_FAL_API_KEY: 'simulator' }), callbackOf({}))
  assert.equal(callbackOf({}, null), undefined)
  assert.equal(callbackOf({ AI_CALLBACK_URL: 'https://own.example/' }), 'https://own.example/')
})
