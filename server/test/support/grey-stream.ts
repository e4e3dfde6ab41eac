/**
 * H.264 written without an encoder: every macroblock of a key frame is the same eight bits, and the frames between key
 * frames repeat the previous one. So a decodable stream of any size takes little time and space: 8192×8192 pixels,
 * larger than encoders produce, take 262 KB.
 */
import type { VideoCodec } from 'mediabunny'

export const FRAMES_PER_SECOND = 24

/** `usual`: 8 bits a sample, 4:2:0 chroma subsampling, limited range. */
export type PixelFormat = 'usual' | 'tenBits' | 'fullColor' | 'fullRange'
export type Packet = { data: Uint8Array; key: boolean }
export type Stream = {
  codec: VideoCodec
  codecString: string
  description?: Uint8Array
  packets: Packet[]
  width: number
  height: number
}

/** A stream of grey frames with a key frame every second. */
export function greyStream(width: number, height: number, frames: number, format: PixelFormat = 'usual'): Stream {
  const [sps, pps] = parameterSets(width, height, format)
  const description = Buffer.concat([
    Buffer.of(1, profiles[format], 0xc0, 62, 0xff, 0xe1, sps.length >> 8, sps.length & 0xff),
    sps,
    Buffer.of(1, pps.length >> 8, pps.length & 0xff),
    pps,
  ])
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const packets: Packet[] = []
  for (let i = 0; i < frames; i++) {
    // A key frame every second; between them, frames of about ten bytes that repeat the previous one.
    const key = i % FRAMES_PER_SECOND === 0
    const picture = key ? keyPicture(macroblocks, format) : repeatedPicture(macroblocks, (i % FRAMES_PER_SECOND) % 16)
    packets.push({ data: lengthPrefixed(picture), key })
  }
  return { codec: 'avc', codecString: `avc1.${profiles[format].toString(16)}C03E`, description, packets, width, height }
}

/** Baseline, High 10, High 4:4:4 Predictive. */
const profiles: Record<PixelFormat, number> = { usual: 66, tenBits: 110, fullColor: 244, fullRange: 66 }

/** Sequence and picture parameter sets (ITU-T H.264 7.3.2.1, 7.3.2.2) of level 6.2. */
export function parameterSets(width: number, height: number, format: PixelFormat = 'usual'): [Buffer, Buffer] {
  const columns = Math.ceil(width / 16)
  const rows = Math.ceil(height / 16)
  const crop = format === 'fullColor' ? 1 : 2
  const cut = [0, (columns * 16 - width) / crop, 0, (rows * 16 - height) / crop]
  const sps = [bits(profiles[format], 8), bits(0xc0, 8), bits(62, 8), golomb(0)]
  if (format === 'tenBits') sps.push(golomb(1), golomb(2), golomb(2), '00')
  if (format === 'fullColor') sps.push(golomb(3), '0', golomb(0), golomb(0), '00')
  sps.push(golomb(0), golomb(2), golomb(1), '0', golomb(columns - 1), golomb(rows - 1), '1', '1', '1')
  sps.push(...cut.map(golomb))
  // Video usability information (annex E): full range only.
  sps.push(format === 'fullRange' ? `1001${bits(5, 3)}10000000` : '0')
  const pps = [golomb(0), golomb(0), '0', '0', golomb(0), golomb(0), golomb(0), '0', '00', '1', '1', '1', '1', '0', '0']
  return [nal(0x67, sps.join('')), nal(0x68, pps.join(''))]
}

/** An IDR slice in which every macroblock is `I_16x16`, predicted from its neighbours, without residuals. */
function keyPicture(macroblocks: number, format: PixelFormat): Buffer {
  const header = `${golomb(0)}${golomb(7)}${golomb(0)}${bits(0, 4)}${golomb(0)}00${golomb(0)}${golomb(1)}`
  // 4:4:4 chroma is coded like luma: no chroma prediction mode, but two more empty residuals.
  return nal(0x65, header + (format === 'fullColor' ? '001001111' : '00100111').repeat(macroblocks))
}

/** A slice that skips every macroblock, which repeats the previous frame. */
function repeatedPicture(macroblocks: number, frameNumber: number): Buffer {
  const header = `${golomb(0)}${golomb(5)}${golomb(0)}${bits(frameNumber, 4)}000${golomb(0)}${golomb(1)}`
  return nal(0x41, header + golomb(macroblocks))
}

function nal(header: number, content: string): Buffer {
  const whole = `${content}1`
  const padded = whole.padEnd(Math.ceil(whole.length / 8) * 8, '0')
  const bytes: number[] = [header]
  let zeros = 0
  for (let i = 0; i < padded.length; i += 8) {
    const byte = Number.parseInt(padded.slice(i, i + 8), 2)
    // Emulation prevention: two zero bytes and a small one would look like a start code.
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    bytes.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(bytes)
}

/** A NAL unit in MP4 format, with a length prefix. */
export function lengthPrefixed(unit: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(unit.length)
  return Buffer.concat([length, unit])
}

function bits(value: number, width: number): string {
  return value.toString(2).padStart(width, '0')
}

/** Exponential-Golomb code of a whole number (H.264 9.1). */
function golomb(value: number): string {
  const binary = (value + 1).toString(2)
  return '0'.repeat(binary.length - 1) + binary
}
