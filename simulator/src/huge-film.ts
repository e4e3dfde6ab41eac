/**
 * A valid film of 8192×8192 pixels in a few hundred kilobytes, for whoever decodes what strangers send: one picture
 * of it takes 100 MB. No encoder at hand goes beyond 4k, so the H.264 is written bit by bit: every macroblock of the
 * key frame is predicted flat and carries nothing (exactly one byte), every later frame skips them all.
 */
import { rename } from 'node:fs/promises'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'

const SIDE = 8192
const BLOCKS_ACROSS = SIDE / 16
const FRAMES = 5
const FRAMES_PER_SECOND = 5

export async function makeHugeFilm(path: string): Promise<void> {
  const sequence = sequenceParameters()
  const picture = pictureParameters()
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(`${path}.part`),
  })
  const track = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(track)
  await output.start()
  const decoderConfig = {
    codec: 'avc1.42c03e',
    codedWidth: SIDE,
    codedHeight: SIDE,
    description: configurationRecord(sequence, picture),
  }
  for (let frame = 0; frame < FRAMES; frame++) {
    const unit = frame === 0 ? keySlice() : skippedSlice(frame)
    const data = new Uint8Array(4 + unit.length)
    new DataView(data.buffer).setUint32(0, unit.length)
    data.set(unit, 4)
    const type = frame === 0 ? 'key' : 'delta'
    await track.add(new EncodedPacket(data, type, frame / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND), { decoderConfig })
  }
  await output.finalize()
  await rename(`${path}.part`, path)
}

/** `avcC`: how an MP4 carries the two parameter sets; lengths in the stream take four bytes. */
function configurationRecord(sequence: Uint8Array, picture: Uint8Array): Uint8Array {
  const head = [1, sequence[1] ?? 0, sequence[2] ?? 0, sequence[3] ?? 0, 0xff]
  return Uint8Array.from([
    ...head,
    0xe1,
    sequence.length >> 8,
    sequence.length & 255,
    ...sequence,
    1,
    picture.length >> 8,
    picture.length & 255,
    ...picture,
  ])
}

function sequenceParameters(): Uint8Array {
  const bits = newBits()
  bits.put(66, 8) // baseline profile
  bits.put(0b11000000, 8) // constraint sets 0 and 1
  bits.put(62, 8) // level 6.2, the highest there is
  bits.ue(0) // its id
  bits.ue(0) // frame_num has 4 bits
  bits.ue(2) // pictures come in decoding order
  bits.ue(1) // one reference frame
  bits.put(0, 1)
  bits.ue(BLOCKS_ACROSS - 1)
  bits.ue(BLOCKS_ACROSS - 1)
  bits.put(1, 1) // whole frames, no fields
  bits.put(1, 1) // direct_8x8_inference
  bits.put(0, 1) // no cropping
  bits.put(0, 1) // no VUI
  return bits.unit(0x67)
}

function pictureParameters(): Uint8Array {
  const bits = newBits()
  bits.ue(0) // its id
  bits.ue(0) // of sequence 0
  bits.put(0, 1) // CAVLC
  bits.put(0, 1)
  bits.ue(0) // one slice group
  bits.ue(0) // one reference picture
  bits.ue(0)
  bits.put(0, 3) // no weighted prediction
  bits.ue(0) // quantiser 26
  bits.ue(0)
  bits.ue(0)
  bits.put(0b100, 3) // deblocking may be switched off in a slice
  return bits.unit(0x68)
}

function keySlice(): Uint8Array {
  const bits = newBits()
  bits.ue(0) // from the first macroblock
  bits.ue(7) // all of it intra
  bits.ue(0)
  bits.put(0, 4) // frame_num
  bits.ue(0) // idr_pic_id
  bits.put(0, 2) // no long-term reference
  bits.ue(0) // quantiser unchanged (se 0)
  bits.ue(1) // no deblocking
  // Intra 16x16 flat (ue 3), chroma flat (ue 0), quantiser unchanged (se 0), no coefficients (1): 00100 1 1 1.
  for (let block = 0; block < BLOCKS_ACROSS * BLOCKS_ACROSS; block++) bits.put(0b00100111, 8)
  return bits.unit(0x65)
}

function skippedSlice(frame: number): Uint8Array {
  const bits = newBits()
  bits.ue(0)
  bits.ue(5) // all of it predicted
  bits.ue(0)
  bits.put(frame & 15, 4)
  bits.put(0, 1) // default number of references
  bits.put(0, 1) // default order of references
  bits.put(0, 1) // no marking of references
  bits.ue(0)
  bits.ue(1)
  bits.ue(BLOCKS_ACROSS * BLOCKS_ACROSS) // so many macroblocks are skipped
  return bits.unit(0x41)
}

/** A writer of single bits and of H.264's exponential Golomb numbers. */
function newBits() {
  const bytes: number[] = []
  let current = 0
  let filled = 0
  const put = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) {
      current = (current << 1) | ((value >> bit) & 1)
      if (++filled < 8) continue
      bytes.push(current)
      current = 0
      filled = 0
    }
  }
  const ue = (value: number): void => {
    const length = 32 - Math.clz32(value + 1)
    put(0, length - 1)
    put(value + 1, length)
  }
  /** Ends with the stop bit and escapes what would look like the start of another unit. */
  const unit = (header: number): Uint8Array => {
    put(1, 1)
    while (filled > 0) put(0, 1)
    const escaped = [header]
    let zeros = 0
    for (const byte of bytes) {
      if (zeros >= 2 && byte <= 3) {
        escaped.push(3)
        zeros = 0
      }
      escaped.push(byte)
      zeros = byte === 0 ? zeros + 1 : 0
    }
    return Uint8Array.from(escaped)
  }
  return { put, ue, unit }
}
