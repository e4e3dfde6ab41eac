// slow
/** The service's own certificate: renewed before it expires, by several workers at once; older films stay trusted. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSigner } from '../../src/provenance/keys.ts'
import { judge } from '../support/content-credentials.ts'
import * as films from '../support/films.ts'
import { sign } from '../support/signed-film.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

async function ownKeys(t: TestContext) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-keys-'))
  t.after(() => rm(dataDir, { recursive: true }))
  return { dataDir, provenance: { certificate: null, key: null } }
}

const serialsOf = (signers: { certificates: readonly Uint8Array[] }[]) =>
  new Set(signers.map(({ certificates }) => Buffer.from(certificates[0] ?? []).toString('base64'))).size

test('own certificate: less than 30 days left → the next film is signed by a new one of the same root; both films are trusted', async (t) => {
  const settings = await ownKeys(t)
  const old = await openSigner(settings, inDays(-340))
  const film = await films.greyFilm(320, 180, 1)
  const earlier = await sign(t, film, { signer: old })
  const renewed = await openSigner(settings, inDays(0))
  assert.equal(serialsOf([old, renewed, await openSigner(settings, inDays(300))]), 2)
  const later = await sign(t, film, { signer: renewed })
  for (const { bytes } of [earlier, later]) {
    const found = await judge(bytes, 'video/mp4', renewed.root ?? '')
    assert.deepEqual([found?.state, found?.failures], ['Trusted', []])
  }
})

test('own certificate: made and renewed by several at once → each signs, in the end by the same one', async (t) => {
  const settings = await ownKeys(t)
  for (const days of [-340, 0]) {
    const signers = await Promise.all(Array.from({ length: 8 }, () => openSigner(settings, inDays(days))))
    assert.equal(new Set(signers.map(({ root }) => root)).size, 1)
    await openSigner(settings, inDays(days))
  }
})

test('certificate of the settings: key of another → refused, and no text of the key is in the error', async (t) => {
  const [one, other] = [await openSigner(await ownKeys(t), new Date()), await openSigner(await ownKeys(t), new Date())]
  const key = other.key.export({ format: 'pem', type: 'pkcs8' }).toString()
  const certificate = `-----BEGIN CERTIFICATE-----\n${Buffer.from(one.certificates[0] ?? []).toString('base64')}\n-----END CERTIFICATE-----\n`
  const open = (provenance: { certificate: string; key: string }) =>
    openSigner({ dataDir: '/nowhere', provenance }, new Date())
  await assert.rejects(open({ certificate, key }), /PROVENANCE_KEY is not the key of the first certificate/)
  await assert.rejects(open({ certificate, key: key.replace('PRIVATE', 'SECRET') }), (error: Error) => {
    assert.equal(error.message, 'PROVENANCE_KEY is no private key in PEM.')
    return true
  })
})
