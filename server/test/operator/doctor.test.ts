// slow
/** What an operator reads when something around the service is wrong: the state, and what to do. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { fetchChecks, paymentChecks, provenanceChecks } from '../../src/operator/doctor-checks.ts'
import { openSigner } from '../../src/provenance/keys.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand, runOn, startProcess } from '../support/processes.ts'
import { startAuthority } from '../support/time-stamp-authority.ts'

const kinora = await openKinora()
const basic = { DATABASE_URL: kinora.databaseUrl, AUTH_SECRET: 'a' }

test('kinora doctor: keys of payment processors → taken, refused, or no answer', async (t) => {
  const api = createServer(({ headers }, response) => {
    const isRight = headers['x-api-key'] === 'right' || headers.authorization === 'Bearer right'
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  t.after(() => api.close())
  await new Promise((resolve) => api.once('listening', resolve))
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const of = async (name: string, key: string, at = url) => {
    const secret = `${name.toLowerCase()} webhook secret of enough bytes`
    const settings = { [`${name}_URL`]: at, [`${name}_API_KEY`]: key, [`${name}_WEBHOOK_SECRET`]: secret }
    const findings = await paymentChecks(readConfig({ ...basic, ...settings }, []))
    return findings.map(({ what, state, remedy, isFault }) => [what, state, remedy, isFault])
  }
  assert.deepEqual(await of('PAYMENT_A', 'right'), [['payment-a', 'takes the key', '', false]])
  assert.deepEqual(await of('PAYMENT_B', 'right'), [['payment-b', 'takes the key', '', false]])
  assert.deepEqual(await of('PAYMENT_B', 'wrong'), [
    ['payment-b', 'payment-b answered HTTP 401', 'set PAYMENT_B_API_KEY', true],
  ])
  const [[, state, remedy] = []] = await of('PAYMENT_A', 'right', 'http://127.0.0.1:9')
  assert.match(`${state} – ${remedy}`, /^payment-a did not answer: .+ – check PAYMENT_A_URL and the network$/)
})

test('kinora doctor: provider at a private address → FETCH_ALLOW unless it is there', async () => {
  const env = { ...basic, PROVIDER_COMFYUI_URL: 'http://127.0.0.1:8188' }
  const accounts = [{ id: 'comfyui', adapter: 'comfyui', needs: ['url' as const] }]
  const [finding, ...rest] = await fetchChecks(readConfig(env, accounts))
  assert.deepEqual(rest, [])
  assert.match(finding?.state ?? '', /^cannot be fetched from its address: /)
  assert.match(finding?.remedy ?? '', /^add 127\.0\.0\.1:8188 to FETCH_ALLOW/)
  assert.deepEqual(await fetchChecks(readConfig({ ...env, FETCH_ALLOW: '127.0.0.1:8188' }, accounts)), [])
})

const folder = mkdtempSync(path.join(tmpdir(), 'kinora-doctor-'))
after(() => rmSync(folder, { recursive: true }))
const DAY_MS = 86_400_000
/** A certificate of an operator, with its key, that was made so many days ago and is good for a year. */
async function certificateOf(days: number): Promise<string> {
  const dataDir = path.join(folder, `${days}`)
  await openSigner({ dataDir, provenance: { certificate: null, key: null } }, new Date(Date.now() - days * DAY_MS))
  return readFileSync(path.join(dataDir, 'provenance/certificate.pem'), 'utf8')
}
const setting = (pem: string, key = pem) => ({ PROVENANCE_CERTIFICATE: pem, PROVENANCE_KEY: key })

test('kinora doctor: who signs films, until when → own, of the settings, soon expired, expired, with another key, off', async () => {
  const of = async (env: Record<string, string>, dataDir = 'none') => {
    const all = { ...basic, DATA_DIR: path.join(folder, dataDir), ...env }
    const findings = await provenanceChecks(readConfig(all, []))
    return findings.map(({ what, state, remedy, isFault }) => `${what} – ${state} – ${remedy} – ${isFault}`)
  }
  const [fresh, soon, expired] = [await certificateOf(1), await certificateOf(350), await certificateOf(370)]
  const trust =
    'for one that they trust, apply to an authority of the C2PA trust list: docs/provenance.md#\\S+ – false$'
  const assertOne = (found: string[], expected: RegExp) => {
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', expected)
  }
  assertOne(await of({}), new RegExp(`^content credentials – the first start makes a certificate.+ – ${trust}`))
  assertOne(
    await of({}, '1'),
    new RegExp(`^content credentials – signed by Kinora \\(self-made\\), until 20.+ – ${trust}`),
  )
  assertOne(
    await of(setting(fresh)),
    /^content credentials – signed by Kinora \(self-made\), until 20[\d-]+ – {2}– false$/,
  )
  assertOne(
    await of(setting(soon)),
    /until 20[\d-]+ – get the next certificate, and set PROVENANCE_CERTIFICATE.+ – false$/,
  )
  assertOne(
    await of(setting(expired)),
    /^content credentials – PROVENANCE_CERTIFICATE, or .+ signs no film now: set another – .+ – true$/,
  )
  assertOne(await of(setting(fresh, soon)), /PROVENANCE_KEY is not the key of the first certificate.+ – true$/)
  assertOne(await of({ PROVENANCE: 'off' }), /^content credentials – off: .+ – set PROVENANCE=on .+ – false$/)
})

test('kinora doctor: time stamp authority → gives them, gives none', async (t) => {
  const authority = await startAuthority()
  t.after(() => authority.close())
  const of = async (env: Record<string, string>) => {
    const config = readConfig({ ...basic, DATA_DIR: folder, PROVENANCE_TSA: authority.url, ...env }, [])
    return (await provenanceChecks(config)).at(-1)
  }
  const good = await of({})
  assert.deepEqual([good?.what, good?.isFault, good?.remedy], ['time stamps', false, ''])
  authority.answer(() => ({ status: 503, body: Buffer.alloc(0) }))
  const bad = await of({})
  assert.match(
    `${bad?.state} – ${bad?.remedy}`,
    / gives none: .+ answered 503 – check PROVENANCE_TSA .+ films are signed without$/,
  )
  assert.deepEqual([bad?.isFault, (await of({ PROVENANCE: 'required' }))?.isFault], [false, true])
})

test('kinora worker: first start; certificate that expires soon; one that has expired → each is said in its log', async () => {
  const said: [Record<string, string>, string][] = [
    [{ DATA_DIR: path.join(folder, 'first') }, 'programs of strangers do not trust it: docs/provenance.md'],
    [setting(await certificateOf(350)), 'the certificate of PROVENANCE_CERTIFICATE expires soon'],
    [setting(await certificateOf(370)), 'no film can be signed'],
  ]
  for (const [env, words] of said) {
    const worker = await startProcess(kinora, 'worker', { LOG_LEVEL: 'info', ...env })
    await worker.logged(words)
    await worker.stop()
  }
})

test('kinora doctor, verify: every session is taken → the limit, and not the address', async (t) => {
  const { sql, config } = kinora.app
  const role = `kinora_many_${randomUUID().slice(0, 8)}`
  await sql.unsafe(`create role ${role} login password 'many' connection limit 0`)
  t.after(async () => {
    await sql.unsafe(`drop role ${role}`)
  })
  const url = new URL(config.databaseUrl)
  url.username = role
  url.password = 'many'
  const { output } = await runOn(url.href, ['doctor'])
  assert.match(output, /^database – has no session left: too many connections .+ – Raise max_connections/m)
  const verify = await runOn(url.href, ['verify'])
  assert.equal(verify.status, 2)
  assert.match(verify.output, /^The database has no session left: too many connections .+ Raise max_connections/)
})

test('kinora doctor, migrate: host of the database that does not resolve → the name', async () => {
  const url = 'postgres://kinora@no-such-host.invalid/kinora'
  assert.match((await runOn(url, ['doctor'])).output, /^database – the name no-such-host\.invalid does not resolve/m)
  assert.match((await runOn(url, ['migrate'])).output, /^The name no-such-host\.invalid does not resolve/)
})

test('kinora api: METRICS_PORT that is taken → the setting and another port', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const { status, output } = await runCommand(kinora, ['api'], { METRICS_PORT: `${port}` })
  assert.equal(status, 1)
  assert.equal(
    output,
    `Port ${port} of METRICS_PORT is taken by another program. Choose another one: METRICS_PORT=${port + 1}\n`,
  )
})

test('kinora help: in the image, without a setting → the commands, exit 0', async () => {
  const { status, output } = await runOn('', ['help'], { AUTH_SECRET: '' })
  assert.equal(status, 0)
  assert.match(output, /^The commands are api, worker, all, migrate, verify, .*backup/)
})
