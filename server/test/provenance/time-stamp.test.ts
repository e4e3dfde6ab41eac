// slow
/** Time stamps of films, by an authority that speaks RFC 3161: they are in the film, or the film waits, or has none. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { timeStampOf } from '../../src/provenance/time-stamp.ts'
import { judge } from '../support/content-credentials.ts'
import * as films from '../support/films.ts'
import { sign } from '../support/signed-film.ts'
import { startAuthority } from '../support/time-stamp-authority.ts'

const authority = await startAuthority()
after(() => authority.close())
beforeEach(() => authority.answer(null))

test('time stamp: authority that answers → in the film, validated', async (t) => {
  const signed = await sign(t, await films.greyFilm(320, 180, 1), { timeStamp: timeStampOf(authority.url) })
  const found = await judge(signed.bytes, 'video/mp4', signed.root + authority.root)
  assert.deepEqual([found?.state, found?.failures], ['Trusted', []])
  assert.ok(found?.text.includes('"timeStamp.validated"'))
})

const refused: [string, Parameters<typeof authority.answer>[0]][] = [
  ['no answer', () => null],
  ['an error', () => ({ status: 500, body: Buffer.alloc(0) })],
  ['no ASN.1', () => ({ status: 200, body: Buffer.from('<html>Busy</html>') })],
  ['nothing', () => ({ status: 200, body: Buffer.alloc(0) })],
  ['a length beyond its bytes', () => ({ status: 200, body: Buffer.from('3084ffffffff', 'hex') })],
  ['a refusal', () => ({ status: 200, body: Buffer.from('30053003020102', 'hex') })],
  ['more than a time stamp may have', () => ({ status: 200, body: Buffer.alloc(64 * 1024, 0x30) })],
]
for (const [name, answer] of refused) {
  test(`time stamp: authority that answers ${name} → none`, async () => {
    authority.answer(answer)
    await assert.rejects(timeStampOf(authority.url)(Buffer.from('signature')))
  })
}

test('time stamp: one of another request → none', async () => {
  const stamper = timeStampOf(authority.url)
  const earlier = Buffer.from((await stamper(Buffer.from('first'))) ?? [])
  const content = Buffer.concat([Buffer.from('3003020100', 'hex'), earlier])
  const body = Buffer.concat([Buffer.of(0x30, 0x82, content.length >> 8, content.length & 0xff), content])
  authority.answer(() => ({ status: 200, body }))
  await assert.rejects(stamper(Buffer.from('second')), /no time stamp of this request/)
})
