/**
 * `npm run samples`: draws the sample films of the release again, which the studio shows for a model that the simulator
 * stands in for. Each is a loop, as H.264 in MP4, beside a JPEG of its first picture. Their names have a hash of the
 * content, so that browsers may keep them. Then those films of test keys that are missing.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { VideoEncoder, VideoFrame } from 'node-webcodecs'
import sharp, { type Sharp } from 'sharp'
import { SCENE, scenes } from './sample-scenes.ts'
import { renderFilm } from './src/film.ts'

const SECONDS = 4
const FRAMES_PER_SECOND = 24
const BITS_PER_SECOND = 220_000
/** Baseline profile, level 3, which every device decodes. */
const CODEC = 'avc1.42C01E'
const folder = fileURLToPath(new URL('../studio/public/samples/', import.meta.url))

const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const

const drawn = (scene: (at: number) => string, at: number): Sharp => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" width="${SCENE.width}" height="${SCENE.height}">${scene(at)}</svg>`
  return sharp(Buffer.from(svg))
    .resize({ ...SCENE, fit: 'fill' })
    .flatten({ background: '#000' })
}

async function fileOf(packets: Packet[]): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND })
  await output.start()
  for (const { data, type, index, description } of packets) {
    const packet = new EncodedPacket(data, type, index / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND)
    const size = { codedWidth: SCENE.width, codedHeight: SCENE.height }
    await source.add(packet, { decoderConfig: { codec: CODEC, ...size, colorSpace: BT709, description } })
  }
  await output.finalize()
  if (!target.buffer) throw new Error('The film was not written.')
  return Buffer.from(target.buffer)
}

type Packet = { data: Uint8Array; type: 'key' | 'delta'; index: number; description: Uint8Array }

/** In the order of the frames: the encoder makes no B-frames. */
async function packetsOf(scene: (at: number) => string): Promise<Packet[]> {
  const packets: Packet[] = []
  let description = new Uint8Array()
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const given = metadata?.decoderConfig?.description
      if (given) description = new Uint8Array(given as ArrayBuffer)
      packets.push({ data, type: chunk.type, index: packets.length, description })
    },
    error: (error) => {
      throw error
    },
  })
  encoder.configure({
    ...{ codec: CODEC, ...SCENE, avc: { format: 'avc' }, colorSpace: BT709 as never },
    ...{ bitrate: BITS_PER_SECOND, framerate: FRAMES_PER_SECOND },
    ...{ useWorkerThread: false, hardwareAcceleration: 'prefer-software' },
  })
  const frames = SECONDS * FRAMES_PER_SECOND
  for (let index = 0; index < frames; index++) {
    const pixels = planesOf(
      await drawn(scene, index / frames)
        .removeAlpha()
        .raw()
        .toBuffer(),
    )
    const timestamp = Math.round((index * 1e6) / FRAMES_PER_SECOND)
    const frame = new VideoFrame(pixels, {
      ...{ format: 'I420', codedWidth: SCENE.width, codedHeight: SCENE.height, timestamp },
    })
    encoder.encode(frame, { keyFrame: index === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  return packets
}

/** I420 from RGB, in the limited range of BT.709; the chroma of four pixels is that of their mean. */
function planesOf(rgb: Buffer): Buffer {
  const { width, height } = SCENE
  const planes = Buffer.alloc((width * height * 3) / 2)
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const sums = [0, 0, 0]
      for (const at of [0, 1, width, width + 1].map((each) => y * width + x + each)) {
        const [red = 0, green = 0, blue = 0] = rgb.subarray(at * 3, at * 3 + 3)
        const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        planes[at] = Math.round(16 + (luma * 219) / 255)
        sums[0] = (sums[0] ?? 0) + luma
        sums[1] = (sums[1] ?? 0) + blue
        sums[2] = (sums[2] ?? 0) + red
      }
      const [luma = 0, blue = 0, red = 0] = sums.map((sum) => sum / 4)
      const chroma = width * height + (y / 2) * (width / 2) + x / 2
      planes[chroma] = Math.round(128 + (((blue - luma) / 1.8556) * 224) / 255)
      planes[chroma + (width * height) / 4] = Math.round(128 + (((red - luma) / 1.5748) * 224) / 255)
    }
  }
  return planes
}

mkdirSync(folder, { recursive: true })
const known = readdirSync(folder)
const kept: string[] = []
for (const [name, scene] of Object.entries(scenes)) {
  const packets = await packetsOf(scene)
  const thumbnail = await drawn(scene, 0).jpeg({ quality: 80, mozjpeg: true }).toBuffer()
  const content = Buffer.concat([...packets.map(({ data }) => data), thumbnail])
  const stem = `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}`
  kept.push(`${stem}.mp4`, `${stem}.jpg`)
  // A file has the time of its making: one of the same pictures stays.
  if (known.includes(`${stem}.mp4`)) continue
  writeFileSync(`${folder}${stem}.mp4`, await fileOf(packets))
  writeFileSync(`${folder}${stem}.jpg`, thumbnail)
  console.log(stem)
}
for (const name of known) if (!kept.includes(name)) rmSync(`${folder}${name}`)

const testFilms = fileURLToPath(new URL('../server/src/provider/test-film/', import.meta.url))
for (const [aspectRatio, width, height] of [
  ['16:9', 640, 360],
  ['9:16', 360, 640],
  ['1:1', 480, 480],
] as const) {
  const file = `${testFilms}${aspectRatio.replace(':', '-')}.mp4`
  if (existsSync(file)) continue
  const facts = { prompt: 'This film was made with a test key.', model: 'test', durationS: SECONDS, quality: '360p' }
  const request = { ...facts, aspectRatio, width, height, inputs: [] }
  const follows = { length: false, ratio: false, quality: false }
  await renderFilm({ ...request, follows }, [], file, FRAMES_PER_SECOND)
  console.log(file)
}
