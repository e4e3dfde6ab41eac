/** Rendered films, read with a demuxer as a client would, and the results that sentinels make of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_FORMATS, BlobSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { filmSize } from '../src/film-request.ts'
import { encodeKeyFrame } from '../src/h264.ts'
import { bodyA, listen, pollA, type SubmitRequest, startSimulator, submitA, waitFor } from './harness.ts'

const simulator = await startSimulator()

/** @returns the URL of the finished film */
async function film(request: SubmitRequest): Promise<string> {
  const { id } = await bodyA(await submitA(simulator, request))
  return waitFor(`the film of ${request.ref}`, async () => {
    const { status, results, error } = await pollA(simulator, id)
    if (status === 'failed') throw new Error(error.message)
    return results?.[0]
  })
}

/** @returns the reason the task failed for */
async function failure(request: SubmitRequest): Promise<string> {
  const { id } = await bodyA(await submitA(simulator, request))
  return waitFor(`the failure of ${request.ref}`, async () => {
    const { status, error } = await pollA(simulator, id)
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

test('film size: any ratio and quality → short side of that quality, even sides, exact ratio', () => {
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

test('key frame: colour that begins in the last column of a macroblock → the next one has its own pixels', () => {
  const PLAIN_BYTES = 384
  for (const [firstColumn, plain] of [
    [14, 1],
    [15, 2],
  ] as const) {
    const picture = { width: 32, height: 16, data: Buffer.alloc(32 * 16 * 3, 255) }
    for (let row = 0; row < 16; row++)
      picture.data.fill('d02020', (row * 32 + firstColumn) * 3, (row + 1) * 32 * 3, 'hex')
    // The chroma of columns 14 and 15 is that of column 14.
    assert.equal(Math.floor(encodeKeyFrame(picture).length / PLAIN_BYTES), plain)
  }
})

const formats: [SubmitRequest, number, number][] = [
  [{ ref: 'f1', aspectRatio: '16:9', quality: '720p', duration: 5 }, 1280, 720],
  [{ ref: 'f2', aspectRatio: '9:16', quality: '1080p', duration: 2 }, 1080, 1920],
  [{ ref: 'f3', aspectRatio: '21:9', quality: '480p', duration: 4 }, 1120, 480],
  [{ ref: 'f4', aspectRatio: '3:4', quality: '480p', duration: 1.5 }, 480, 640],
  [{ ref: 'f5', aspectRatio: '16:9', quality: '4k', duration: 1 }, 3840, 2160],
]
for (const [request, width, height] of formats) {
  test(`film: ${request.aspectRatio}, ${request.quality}, ${request.duration} s → H.264 MP4 of that size and length, index first`, async () => {
    const response = await fetch(await film(request))
    const bytes = await response.arrayBuffer()
    assert.equal(response.headers.get('content-type'), 'video/mp4')
    assert.equal(response.headers.get('content-length'), String(bytes.byteLength))
    const { codec, durationS, packets, first, ...facts } = await probe(bytes)
    assert.deepEqual([codec, facts.width, facts.height], ['avc', width, height])
    assert.ok(Math.abs(durationS - (request.duration ?? 0)) < 0.001, `${durationS} s`)
    assert.equal(packets, (request.duration ?? 0) * 24)
    assert.equal(first?.type, 'key')
    const text = Buffer.from(bytes).toString('latin1')
    assert.ok(text.indexOf('moov') < text.indexOf('mdat'), 'the index precedes the pictures')
  })
}

test('film: prompt in any script, with markup, control characters or 5,000 characters → rendered', async () => {
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

test('start image: readable → in the film; missing or undecodable → the task fails with the reason', async () => {
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

test('206: range of a film → those bytes; 416: range beyond its end', async () => {
  const url = await film({ ref: 'range' })
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
  const part = await fetch(url, { headers: { range: 'bytes=100-199' } })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 100-199/${whole.length}`)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(100, 200))
  assert.equal((await fetch(url, { headers: { range: 'bytes=99999999-' } })).status, 416)
})

test('[truncated]: complete headers and content length → pictures missing at the end', async () => {
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

test('[huge]: result → valid 8192×8192 film in a small file', async () => {
  const bytes = await (await fetch(await film({ ref: 'huge', prompt: 'x [huge]' }))).arrayBuffer()
  const { codec, width, height, packets } = await probe(bytes)
  assert.deepEqual([codec, width, height, packets], ['avc', 8192, 8192, 5])
  assert.ok(bytes.byteLength < 500_000)
})

test('[html], [private], [gone]: result → HTML page, redirect to a private address, 404', async () => {
  const html = await fetch(await film({ ref: 'html', prompt: 'x [html]' }))
  assert.deepEqual([html.status, html.headers.get('content-type')], [200, 'video/mp4'])
  assert.match(await html.text(), /^<!doctype html>/)
  const elsewhere = await fetch(await film({ ref: 'private', prompt: 'x [private]' }), { redirect: 'manual' })
  assert.equal(elsewhere.status, 302)
  assert.equal(elsewhere.headers.get('location'), 'http://169.254.169.254/latest/meta-data/')
  assert.equal((await fetch(await film({ ref: 'gone', prompt: 'x [gone]' }))).status, 404)
})

test('[endless]: result → stream without content length or end', async () => {
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

test('404: unknown film or path traversal → no file', async () => {
  for (const name of ['unknown.mp4', '..%2ftasks', '%2e%2e%2fmain.ts', '..%2f..%2fetc%2fpasswd.mp4']) {
    assert.equal((await fetch(`${simulator.url}/films/${name}`)).status, 404)
  }
})
