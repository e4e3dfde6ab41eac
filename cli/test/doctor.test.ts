// slow
/** `kinora doctor`: one line for each check, what – state – what to do. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openSandbox } from '../../server/src/media/sandbox/sandbox.ts'
import { runKinora, temporaryDir } from './cli-process.ts'

test('kinora doctor: fresh folder → settings, database and every sandbox layer, exit 0', async (t) => {
  const { status, output } = await runKinora(t, ['doctor'], { DATA_DIR: path.join(temporaryDir(t), 'data') }).ended
  assert.equal(status, 0, output)
  assert.match(output, /^Node – 24\./m)
  assert.match(output, /^settings – complete$/m)
  assert.match(output, /^database – PostgreSQL 18\.\d+, as kinora_service$/m)
  assert.match(output, /^schema – (none yet|version \d+)/m)
  const { layers, probe } = await openSandbox()
  const state = (isActive: boolean) => (isActive ? 'active$' : 'missing – .+')
  assert.match(output, new RegExp(`^decoder: namespaces .* – ${state(layers.launch.kind === 'namespaces')}`, 'm'))
  assert.match(output, new RegExp(`^decoder: seccomp filter – ${state(probe?.seccomp ?? false)}`, 'm'))
  if (probe?.seccomp) assert.match(output, /^decoder: escape routes – none$/m)
  assert.doesNotMatch(output, /postgres:\/\//)
})

test('kinora doctor: production with nothing set → nothing is made, a warning that the database is the embedded one', async (t) => {
  const dataDir = path.join(temporaryDir(t), 'data')
  const env = { NODE_ENV: 'production', DATA_DIR: dataDir }
  const { status, output } = await runKinora(t, ['doctor'], env).ended
  assert.equal(status, 1, output)
  assert.match(
    output,
    /^DATABASE_URL is not set: the books are kept in the embedded PostgreSQL, on this machine alone\./m,
  )
  assert.equal(existsSync(dataDir), false, 'no folder is made')
  assert.match(output, /^settings – wrong – DATABASE_URL is not set: PostgreSQL 15/m)
  assert.match(output, /^settings – wrong – AUTH_SECRET is not set: signs sessions .*openssl rand -base64 32$/m)
})

test('kinora doctor: wrong settings and no database → each with its remedy, exit 1', async (t) => {
  const env = { DATA_DIR: temporaryDir(t), DATABASE_URL: 'postgres://x@127.0.0.1:1/x', WORKER_CONCURRENCY: 'many' }
  const wrong = await runKinora(t, ['doctor'], env).ended
  assert.equal(wrong.status, 1)
  assert.match(wrong.output, /^settings – wrong – WORKER_CONCURRENCY must be a whole number/m)
  const alone = await runKinora(t, ['doctor'], { ...env, WORKER_CONCURRENCY: '4' }).ended
  assert.equal(alone.status, 1)
  assert.match(alone.output, /^database – does not answer \(ECONNREFUSED\) – check DATABASE_URL/m)
})

test('kinora doctor: MEDIA_SANDBOX=off → every escape route is reported open', async (t) => {
  const env = { DATA_DIR: temporaryDir(t), DATABASE_URL: 'postgres://x@127.0.0.1:1/x', MEDIA_SANDBOX: 'off' }
  const { output } = await runKinora(t, ['doctor'], env).ended
  assert.match(output, /^decoder: seccomp filter – missing – /m)
  assert.match(output, /^decoder: escape routes – open: reading the server's files, .* – /m)
})
