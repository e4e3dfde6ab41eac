/** Keys of callbacks that are fetched: when the vendor that has them is slow, down or wrong. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import type { CallResult } from '../../src/net/http-client.ts'
import type { ReceivedCallback } from '../../src/provider/provider.ts'
import { openFalSignature } from '../../src/provider/webhook-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const now = new Date('2026-11-26T06:00:00Z')

function callback(at = now, body = Buffer.from('{}')): ReceivedCallback {
  const seconds = String(at.getTime() / 1000)
  const message = ['r', 'u', seconds, createHash('sha256').update(body).digest('hex')].join('\n')
  const parts = { 'request-id': 'r', 'user-id': 'u', timestamp: seconds, signature: '' }
  parts.signature = sign(null, Buffer.from(message), privateKey).toString('hex')
  const headers = Object.fromEntries(Object.entries(parts).map(([name, part]) => [`x-fal-webhook-${name}`, part]))
  return { body, headers, query: new URLSearchParams(), now: at }
}
const keySet = (...keys: object[]): CallResult => ({
  kind: 'response',
  status: 200,
  body: { keys: [...keys, publicKey.export({ format: 'jwk' })] },
  headers: {},
  retryAfterS: null,
})
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('keys: many callbacks while they are read → one call', async () => {
  let calls = 0
  const read = Promise.withResolvers<CallResult>()
  const isSigned = openFalSignature(() => {
    calls += 1
    return read.promise
  })
  const answers = Array.from({ length: 50 }, () => isSigned(callback()))
  read.resolve(keySet())
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([true]))
  assert.equal(calls, 1)
})

test('keys: cannot be read → try later, without a call for ten seconds; old keys do until they can', async () => {
  let calls = 0
  let answer: CallResult = { kind: 'no_response', reason: 'no answer in time' }
  const isSigned = openFalSignature(async () => {
    calls += 1
    return answer
  })
  for (const seconds of [0, 1, 9]) assert.equal(await isSigned(callback(after(seconds))), null)
  assert.equal(calls, 1)
  answer = keySet()
  assert.equal(await isSigned(callback(after(11))), true)
  answer = { kind: 'no_response', reason: 'no answer in time' }
  for (const seconds of [90_000, 90_001]) assert.equal(await isSigned(callback(after(seconds))), true)
  assert.equal(calls, 3)
})

test('keys: malformed ones beside a good one → the good one counts; no more than twenty are tried', async () => {
  const bad = [{ kty: 'OKP', crv: 'Ed25519', x: '' }, { kty: 'OKP', crv: 'X25519', x: 'AAAA' }, { kty: 'RSA' }, {}]
  assert.equal(await openFalSignature(async () => keySet(...bad))(callback()), true)
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const many = Array.from({ length: 20 }, () => ({ kty: 'OKP', crv: 'Ed25519', x }))
  assert.equal(await openFalSignature(async () => keySet(...many))(callback()), false)
})
