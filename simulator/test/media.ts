/** Files that go into films, and what a film shows of them. */
import assert from 'node:assert/strict'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { sceneOf } from '../src/film.ts'
import { MACROBLOCK } from '../src/h264.ts'
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
async function coloursOf(film: ArrayBuffer): Promise<(x: number, y: number) => Colour> {
  const { luma, blue, red, width } = await pictureOf(film)
  return (x, y) => {
    const grey = (((luma[y * width + x] ?? 0) - 16) * 255) / 219
    const at = (y >> 1) * (width / 2) + (x >> 1)
    const b = (((blue[at] ?? 0) - 128) * 255 * 1.8556) / 224 + grey
    const r = (((red[at] ?? 0) - 128) * 255 * 1.5748) / 224 + grey
    return [r, (grey - 0.2126 * r - 0.0722 * b) / 0.7152, b]
  }
}

/**
 * The planes of the first picture, as h264.ts writes it: macroblocks of plain pixels, and others that repeat the
 * columns left of them. The decoder of node-webcodecs may wait for ever in a process that is busy.
 */
async function pictureOf(film: ArrayBuffer) {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(film) })
  const track = await input.getPrimaryVideoTrack()
  const packet = track && (await new EncodedPacketSink(track).getFirstPacket())
  if (!packet) throw new Error('There is no picture.')
  const blocks = (side: number): number => Math.ceil(side / MACROBLOCK)
  const [columns, rows] = [blocks(track.displayWidth), blocks(track.displayHeight)]
  const width = columns * MACROBLOCK
  const luma = new Uint8Array(width * rows * MACROBLOCK)
  const [blue, red] = [new Uint8Array(luma.length / 4), new Uint8Array(luma.length / 4)]
  const reader = bitsOf(keyFrameIn(Buffer.from(packet.data)))
  reader.advance(20)
  for (let block = 0; block < columns * rows; block++) {
    const [x, y] = [block % columns, Math.floor(block / columns)]
    const plain = reader.golomb() === 25 ? reader.bytes(384) : null
    if (!plain) reader.golomb()
    if (!plain) reader.golomb()
    if (!plain && reader.bit() === 0) reader.advance(5)
    const planes = [
      { plane: luma, side: MACROBLOCK, from: 0 },
      { plane: blue, side: MACROBLOCK / 2, from: 256 },
      { plane: red, side: MACROBLOCK / 2, from: 320 },
    ]
    for (const { plane, side, from } of planes) {
      for (let row = 0; row < side; row++) {
        const start = (y * side + row) * columns * side + x * side
        if (plain) plane.set(plain.subarray(from + row * side, from + (row + 1) * side), start)
        else plane.fill(plane[start - 1] ?? 0, start, start + side)
      }
    }
  }
  return { luma, blue, red, width }
}

/** The content of the unit of the key frame, among units that follow their lengths. */
function keyFrameIn(packet: Buffer): Buffer {
  for (let at = 0; at < packet.length; at += 4 + packet.readUInt32BE(at)) {
    if (packet[at + 4] !== 0x65) continue
    const unit = packet.subarray(at + 5, at + 4 + packet.readUInt32BE(at)).toString('latin1')
    return Buffer.from(unit.replaceAll('\0\0\x03', '\0\0'), 'latin1')
  }
  throw new Error('There is no key frame.')
}

function bitsOf(data: Buffer) {
  let at = 0
  const bit = (): number => ((data[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1
  return {
    bit,
    advance: (bits: number): void => {
      at += bits
    },
    golomb: (): number => {
      let zeros = 0
      while (bit() === 0) if (++zeros > 31) throw new Error('The picture is not one of the simulator.')
      let value = 1
      for (let left = zeros; left > 0; left--) value = 2 * value + bit()
      return value - 1
    },
    bytes: (length: number): Buffer => {
      const start = Math.ceil(at / 8)
      at = 8 * (start + length)
      return data.subarray(start, start + length)
    },
  }
}
