/** The films themselves, read with the library that a client would read them with, and the ways they may be bad. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_FORMATS, BlobSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { filmSize } from '../src/film-request.ts'
import { askA, listen, type Order, readA, startSimulator, submitA, waitFor } from './harness.ts'

const simulator = await startSimulator()

/** The address of the finished film. */
async function film(order: Order): Promise<string> {
  const { id } = await readA(await submitA(simulator, order))
  return waitFor(`the film of ${order.ref}`, async () => {
    const { status, results, error } = await askA(simulator, id)
    if (status === 'failed') throw new Error(error.message)
    return results?.[0]
  })
}

/** Why the task failed. */
async function failure(order: Order): Promise<string> {
  const { id } = await readA(await submitA(simulator, order))
  return waitFor(`the failure of ${order.ref}`, async () => {
    const { status, error } = await askA(simulator, id)
    assert.notEqual(status, 'completed')
    return status === 'failed' && error.message
  })
}

async function probe(bytes: ArrayBuffer) {
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(new Blob([bytes])) })
  const track = await input.getPrimaryVideoTrack()
  assert.ok(track, 'there is a video track')
  const sink = new EncodedPacketSink(track)
  let packets = 0
  let bytesRead = 0
  for await (const packet of sink.packets()) {
    packets++
    bytesRead += packet.byteLength
  }
  const facts = { codec: track.codec, width: track.displayWidth, height: track.displayHeight }
  const first = await sink.getFirstPacket()
  return { ...facts, durationS: await input.computeDuration(), packets, bytesRead, first }
}

test('sizes: the quality names the short side, both sides are even, the ratio is kept', () => {
  const ratios = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1, '4:3': 4 / 3, '3:4': 3 / 4, '21:9': 21 / 9 }
  for (const [name, ratio] of Object.entries(ratios)) {
    for (const [quality, short] of Object.entries({ '480p': 480, '720p': 720, '1080p': 1080, '4k': 2160 })) {
      if (name === '21:9' && quality === '4k') continue
      const size = filmSize(name, quality)
      assert.ok(size, `${name} ${quality}`)
      assert.equal(Math.min(size.width, size.height), short)
      assert.deepEqual([size.width % 2, size.height % 2], [0, 0])
      assert.ok(Math.abs(size.width / size.height - ratio) < 0.003, `${name} ${quality}`)
    }
  }
  assert.deepEqual(filmSize('16:9', '4k'), { width: 3840, height: 2160 })
  assert.equal(filmSize('21:9', '4k'), null)
})

const asked: [Order, number, number][] = [
  [{ ref: 'f1', aspectRatio: '16:9', quality: '720p', duration: 5 }, 1280, 720],
  [{ ref: 'f2', aspectRatio: '9:16', quality: '1080p', duration: 2 }, 1080, 1920],
  [{ ref: 'f3', aspectRatio: '21:9', quality: '480p', duration: 4 }, 1120, 480],
  [{ ref: 'f4', aspectRatio: '3:4', quality: '480p', duration: 1.5 }, 480, 640],
  [{ ref: 'f5', aspectRatio: '16:9', quality: '4k', duration: 1 }, 3840, 2160],
]
for (const [order, width, height] of asked) {
  test(`H.264 MP4 as asked: ${order.aspectRatio} ${order.quality} ${order.duration} s`, async () => {
    const response = await fetch(await film(order))
    const bytes = await response.arrayBuffer()
    assert.equal(response.headers.get('content-type'), 'video/mp4')
    assert.equal(response.headers.get('content-length'), String(bytes.byteLength))
    const { codec, durationS, packets, first, ...facts } = await probe(bytes)
    assert.deepEqual([codec, facts.width, facts.height], ['avc', width, height])
    assert.ok(Math.abs(durationS - (order.duration ?? 0)) < 0.001, `${durationS} s`)
    assert.equal(packets, (order.duration ?? 0) * 24)
    assert.equal(first?.type, 'key')
    const text = Buffer.from(bytes).toString('latin1')
    assert.ok(text.indexOf('moov') < text.indexOf('mdat'), 'the index stands first')
  })
}

test('any script, markup, control characters, half characters and 5000 of them make a film', async () => {
  const prompts = [
    '鶴が湿原を渡る 🎬 العربية עברית हिन्दी ไทย',
    '<b>&amp;</span> "quotes" & ]]> <!-- \u0000\u0007 \ud800 \u202e back',
    '[',
    '\u200b',
    'word '.repeat(1000),
    'W'.repeat(5000),
  ]
  for (const [n, prompt] of prompts.entries()) {
    const bytes = await (await fetch(await film({ ref: `script-${n}`, prompt: `${prompt} x` }))).arrayBuffer()
    assert.equal((await probe(bytes)).packets, 24)
  }
})

test('a start image shows in the film, and a task whose start image cannot be had fails and says why', async () => {
  const red = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#d02020' } })
    .png()
    .toBuffer()
  const { base } = await listen((request, response) => {
    if (request.url === '/red.png') response.setHeader('content-type', 'image/png').end(red)
    else if (request.url === '/text.png') response.end('no image')
    else response.writeHead(404).end()
  })
  const at = (name: string) => [`${base}/${name}`]
  const plain = await (await fetch(await film({ ref: 'plain' }))).arrayBuffer()
  const withImage = await (await fetch(await film({ ref: 'plain with image', imageUrls: at('red.png') }))).arrayBuffer()
  assert.equal((await probe(withImage)).packets, 24)
  assert.notEqual(withImage.byteLength, plain.byteLength)
  for (const [name, why] of [
    ['text.png', /its start image cannot be read\.$/],
    ['missing.png', /the address of its start image answers 404\.$/],
  ] as const) {
    const error = await failure({ ref: name, imageUrls: at(name) })
    assert.match(error, why)
  }
})

test('206: part of a film; 416: beyond its end', async () => {
  const url = await film({ ref: 'range' })
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
  const part = await fetch(url, { headers: { range: 'bytes=100-199' } })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 100-199/${whole.length}`)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(100, 200))
  assert.equal((await fetch(url, { headers: { range: 'bytes=99999999-' } })).status, 416)
})

test('[truncated]: headers whole, answer consistent, pictures missing at the end', async () => {
  const response = await fetch(await film({ ref: 'truncated', prompt: 'x [truncated]', duration: 2 }))
  const bytes = await response.arrayBuffer()
  assert.equal(response.headers.get('content-length'), String(bytes.byteLength))
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(new Blob([bytes])) })
  const track = await input.getPrimaryVideoTrack()
  assert.ok(track)
  assert.equal(await track.computeDuration(), 2)
  const sink = new EncodedPacketSink(track)
  assert.ok(await sink.getFirstPacket())
  assert.equal(await sink.getPacket(Number.POSITIVE_INFINITY), null)
})

test('[huge]: 8192×8192 in a small file', async () => {
  const bytes = await (await fetch(await film({ ref: 'huge', prompt: 'x [huge]' }))).arrayBuffer()
  const { codec, width, height, packets } = await probe(bytes)
  assert.deepEqual([codec, width, height, packets], ['avc', 8192, 8192, 5])
  assert.ok(bytes.byteLength < 500_000)
})

test('[html], [private], [gone]: the result is no film', async () => {
  const html = await fetch(await film({ ref: 'html', prompt: 'x [html]' }))
  assert.deepEqual([html.status, html.headers.get('content-type')], [200, 'video/mp4'])
  assert.match(await html.text(), /^<!doctype html>/)
  const elsewhere = await fetch(await film({ ref: 'private', prompt: 'x [private]' }), { redirect: 'manual' })
  assert.equal(elsewhere.status, 302)
  assert.equal(elsewhere.headers.get('location'), 'http://169.254.169.254/latest/meta-data/')
  assert.equal((await fetch(await film({ ref: 'gone', prompt: 'x [gone]' }))).status, 404)
})

test('[endless]: more than any film, without a length', async () => {
  const response = await fetch(await film({ ref: 'endless', prompt: 'x [endless]' }))
  assert.equal(response.headers.get('content-type'), 'video/mp4')
  assert.equal(response.headers.get('content-length'), null)
  let sizeBytes = 0
  for await (const part of response.body ?? []) {
    sizeBytes += part.byteLength
    if (sizeBytes > 8_000_000) break
  }
  assert.ok(sizeBytes > 8_000_000)
})

test('404: a film that was never made, and no way out of the folder', async () => {
  for (const name of ['unknown.mp4', '..%2ftasks', '%2e%2e%2fmain.ts', '..%2f..%2fetc%2fpasswd.mp4']) {
    assert.equal((await fetch(`${simulator.url}/films/${name}`)).status, 404)
  }
})
