/** Files that go into films, and what a film shows of them. */
import assert from 'node:assert/strict'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from 'node-webcodecs'
import sharp from 'sharp'
import { sceneOf } from '../src/film.ts'
import { placesIn, stripesOf } from '../src/signs.ts'

export const image = (background: string, width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** A WAV of silence, in one channel of 8,000 samples a second. */
export function sound(seconds: number, sample = 128): Buffer {
  const samples = Buffer.alloc(Math.round(8000 * seconds), sample)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

export type Colour = readonly [red: number, green: number, blue: number]

/** Each input in its sign: an image by its colour, a film or a sound by the stripes of its SHA-256. */
export async function assertShows(
  film: ArrayBuffer,
  size: { width: number; height: number },
  contents: (Colour | string)[],
): Promise<void> {
  const colourAt = await coloursOf(film)
  const places = placesIn({ ...sceneOf(size), width: size.width }, contents.length)
  for (const [index, content] of contents.entries()) {
    const { left = 0, top = 0, width = 0, height = 0 } = places[index] ?? {}
    for (let stripe = 0; stripe < 8; stripe++) {
      const wanted = typeof content === 'string' ? stripesOf(content).subarray(3 * stripe, 3 * stripe + 3) : content
      const colour = colourAt(Math.round(left + ((stripe + 0.5) * width) / 8), Math.round(top + height / 2))
      const distance = Math.max(...colour.map((each, channel) => Math.abs(each - (wanted[channel] ?? 0))))
      assert.ok(distance < 4, `input ${index}, stripe ${stripe}: ${colour.map(Math.round)} is not ${wanted}`)
    }
  }
}

/** The colour of a film's first picture at a point, as the film has it: BT.709 in limited range. */
async function coloursOf(film: ArrayBuffer): Promise<(x: number, y: number) => [number, number, number]> {
  const { planes, width, height } = await decoded(film)
  const chroma = Math.ceil(width / 2)
  return (x, y) => {
    const [luma = 0, blue = 0, red = 0] = [
      planes[y * width + x],
      planes[width * height + (y >> 1) * chroma + (x >> 1)],
      planes[width * height + Math.ceil(height / 2) * chroma + (y >> 1) * chroma + (x >> 1)],
    ]
    const grey = ((luma - 16) * 255) / 219
    const [b, r] = [((blue - 128) * 255 * 1.8556) / 224 + grey, ((red - 128) * 255 * 1.5748) / 224 + grey]
    return [r, (grey - 0.2126 * r - 0.0722 * b) / 0.7152, b]
  }
}

async function decoded(film: ArrayBuffer) {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(film) })
  const track = await input.getPrimaryVideoTrack()
  const packet = track && (await new EncodedPacketSink(track).getFirstPacket())
  const config = await track?.getDecoderConfig()
  if (!packet || !config) throw new Error('There is no picture.')
  const frames: VideoFrame[] = []
  const decoder = new VideoDecoder({
    output: (frame) => frames.push(frame),
    error: (error) => {
      throw error
    },
  })
  decoder.configure(config as Parameters<typeof decoder.configure>[0])
  decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: 0, duration: 1, data: packet.data }))
  await decoder.flush()
  decoder.close()
  const [frame] = frames
  if (!frame) throw new Error('There is no frame.')
  const { codedWidth: width, codedHeight: height } = frame
  const planes = new Uint8Array(width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2))
  await frame.copyTo(planes)
  frame.close()
  return { planes, width, height }
}
