/** The checklist of a new service: what the test of each item says, who may test, and who sees it first. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import * as x509 from '@peculiar/x509'
import { certificateUntil } from '../../src/net/safe-fetch.ts'
import { checksOf, SETUP_ITEMS } from '../../src/operator/doctor-checks.ts'
import type { Finding } from '../../src/operator/finding.ts'
import { openKinora } from '../support/harness.ts'
import { openMailServer } from '../support/mail-server.ts'

const smtp = await openMailServer()
const backups = mkdtempSync(path.join(tmpdir(), 'kinora-setup-'))
const env = { SMTP_URL: smtp.url, MAIL_FROM: 'films@example.com', BACKUP_TO: backups, GIFT_AFTER: 'sign-up' }
const kinora = await openKinora({ simulator: true, env })
const { config, sql } = kinora.app
const [asAtStart, root] = [{ ...config }, await kinora.person({ role: 'admin', credits: 0 })]
after(async () => {
  await smtp.close()
  rmSync(backups, { recursive: true })
})

type Setup = { isOpen: boolean; tests: { item: string; state: string; actorEmail: string }[] }
type Tested = { state: string; findings: Finding[] }
const setup = async () => (await kinora.call<Setup>('GET', '/api/v1/admin/setup', { as: root })).data
const run = (item: string, as = root) => kinora.call<Tested>('POST', `/api/v1/admin/setup/${item}/test`, { as })
const said = async (item: string) => {
  const { state, findings } = (await run(item)).data
  return [state, ...findings.map((each) => [each.what, each.state, each.remedy].join(' – '))].join('\n')
}

test('setup: a fresh service in production → seen first until each item was tested without a fault, or one closes it', async () => {
  const shown = async () => (await setup()).isOpen
  assert.equal(await shown(), false)
  config.production = true
  try {
    for (const item of SETUP_ITEMS) {
      assert.equal(await shown(), true, item)
      assert.equal((await run(item)).status, 200)
    }
    const { isOpen, tests } = await setup()
    assert.deepEqual([isOpen, tests.map(({ item }) => item)], [false, [...SETUP_ITEMS].toSorted()])
    assert.ok(tests.every(({ actorEmail }) => actorEmail === root.email))
    await sql`delete from kinora.audit where action = 'setup.test'`
    assert.equal(await shown(), true)
    const body = { reason: 'Nothing is sold here' }
    assert.equal((await kinora.call('POST', '/api/v1/admin/setup/close', { as: root, body })).status, 200)
    assert.equal(await shown(), false)
  } finally {
    Object.assign(config, asAtStart)
  }
})

test('setup: mail → one to the administrator in their language; refused → the server’s words, and nothing sent', async () => {
  await sql`update public."user" set "language" = 'zh-Hans' where id = ${root.userId}`
  const before = smtp.received.length
  assert.match(
    await said('mail'),
    /^good\nmail – 127\.0\.0\.1:\d+ took a mail to \S+: 250 .+\ngift – 60 credits at sign-up/,
  )
  assert.deepEqual(
    smtp.received.slice(before).map(({ to }) => to),
    [root.email],
  )
  assert.match(smtp.received.at(-1)?.text ?? '', /邮件功能正常/)
  smtp.refuse(550)
  assert.match(await said('mail'), /^advice\nmail – .+ does not accept: 550 no such mailbox here – check SMTP_URL/)
  smtp.refuse(null)
  assert.equal(smtp.received.length, before + 1)
})

test('setup: storage, provider, processor, backup, second factor → what was done, or what is left to do', async () => {
  assert.match(await said('storage'), /^good\nstorage – .*files, stored, read and removed a file – $/)
  assert.match(await said('provider'), /^(good|advice)\nprovider provider-a – /)
  assert.match(
    await said('processor'),
    /^advice\npayments – no processor is set up – to sell credits, set PAYMENT_A_API_KEY/,
  )
  assert.match(await said('backup'), /^advice\nbackup – none at .+ – run kinora backup every night/)
  assert.match(await said('factor'), new RegExp(`^advice\\nadministrators – without a second factor: ${root.email} – `))
  assert.match(await said('certificate'), /^advice\ncontent credentials – .+ – for one that they trust/)
  assert.match(await said('address'), /^advice\naddress – http:.+, outside production – for users, set PUBLIC_URL/)
})

test('setup: address in production → asked by the SSRF guard: refused as private, allowed, another service, no answer', async () => {
  const { url } = kinora
  const addressOf = async (change: Partial<typeof config>) => {
    const findings = await Promise.all(
      checksOf.address.map((check) => check({ ...config, production: true, ...change }, null)),
    )
    const found = findings.flat().find(({ what }) => what === 'address')
    return `${found?.state} – ${found?.remedy}`
  }
  const fetchAllow = [new URL(url).host]
  assert.match(
    await addressOf({ publicUrl: url }),
    /is not an address on the public Internet – check PUBLIC_URL, its DNS entry/,
  )
  assert.match(await addressOf({ publicUrl: url, fetchAllow }), / leads to this release, \d+\.\d+\.\d+ – $/)
  assert.match(
    await addressOf({ publicUrl: `${url}/docs`, fetchAllow }),
    / – (check PUBLIC_URL, its|point PUBLIC_URL and its proxy here)/,
  )
  const gone = { publicUrl: 'http://127.0.0.1:9', fetchAllow: ['127.0.0.1:9'] }
  assert.match(await addressOf(gone), /could not be reached: .+ – check PUBLIC_URL/)
})

test('setup: certificate of the address → its end; one that no authority has signed → refused', async (t) => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * 86_400_000)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
  })
  const [cert, pkcs8] = [certificate.toString('pem'), await crypto.subtle.exportKey('pkcs8', keys.privateKey)]
  const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(pkcs8).toString('base64')}\n-----END PRIVATE KEY-----\n`
  const server = createServer({ key, cert }, (_, response) => response.end('{}')).listen(0, 'localhost')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const host = `localhost:${(server.address() as AddressInfo).port}`
  const check = async () => {
    const change = { production: true, publicUrl: `https://${host}`, fetchAllow: [host] }
    const findings = await Promise.all(checksOf.certificate.map((each) => each({ ...config, ...change }, null)))
    const found = findings.flat().find(({ what }) => what === 'certificate')
    return `${found?.state} – ${found?.remedy}`
  }
  assert.match(
    await check(),
    /^of localhost:\d+: localhost could not be reached: self-signed certificate.* – check the/,
  )
  const authorities = getCACertificates('default')
  t.after(() => setDefaultCACertificates(authorities))
  setDefaultCACertificates([...authorities, cert])
  assert.deepEqual(await certificateUntil(`https://${host}`, { allow: [host] }, 5_000), notAfter)
  assert.match(await check(), /^of localhost:\d+, until 20[\d-]+ – renew it, and see why the proxy did not$/)
})

test('setup: a user → 403; what is audited → the item and its state, without what a test found', async () => {
  const ann = await kinora.person()
  const answers = [
    await run('mail', ann),
    await kinora.call('GET', '/api/v1/admin/setup', { as: ann }),
    await kinora.call('POST', '/api/v1/admin/setup/close', { as: ann, body: { reason: 'x' } }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403],
  )
  assert.equal((await run('moon')).status, 400)
  await run('factor')
  const [entry] = await sql<{ subject: string; after: object; actorId: string }[]>`
    select subject, after, actor_id from kinora.audit where action = 'setup.test' order by id desc limit 1
  `
  assert.deepEqual({ ...entry }, { subject: 'factor', after: { state: 'advice' }, actorId: root.userId })
})
