/**
 * A valid film of 8192×8192 pixels in 260 KB, for testing what decodes untrusted files: one of its pictures takes 100 MB.
 * The encoder stops at 4k, so the H.264 is written here: every macroblock of the key frame is predicted flat and carries
 * no coefficients, which takes exactly one byte, and every later frame skips all macroblocks.
 */
import { EncodedPacket, EncodedVideoPacketSource } from 'mediabunny'
import { writeMp4 } from './mp4.ts'

const SIDE = 8192
const FRAMES_PER_SECOND = 5
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** Baseline profile, level 6.2, one reference frame, 512×512 macroblocks of 16×16 pixels. */
const sequenceParameters = hex('6742c03e da002000 040190')
/** CAVLC, one slice group, a slice may switch deblocking off. */
const pictureParameters = hex('68ce3c80')
/** The MP4 box that carries both: version, profile, 4-byte lengths, then each set with its count and length. */
const avcC = Buffer.concat([hex('0142c03e ff e1000b'), sequenceParameters, hex('01 0004'), pictureParameters])
/**
 * The slice header is not a multiple of 8 bits long. The macroblock 00100111 (intra 16×16 flat, chroma flat, quantiser
 * unchanged, no coefficients) therefore shows as 01110010, and the last one shares its byte with the stop bit.
 */
const keySlice = Buffer.concat([hex('658884a2'), Buffer.alloc((SIDE / 16) ** 2 - 1, 0x72), hex('78')])
/** Predicted slices 1 to 4: the frame number and a run of 262,144 skipped macroblocks. */
const skippedSlices = ['22', '42', '62', '82'].map((frameNumber) => hex(`419a ${frameNumber} 800008 0003`))

export async function writeHugeFilm(path: string): Promise<void> {
  const track = new EncodedVideoPacketSource('avc')
  const decoderConfig = { codec: 'avc1.42c03e', codedWidth: SIDE, codedHeight: SIDE, description: avcC }
  await writeMp4(path, track, FRAMES_PER_SECOND, async () => {
    for (const [index, slice] of [keySlice, ...skippedSlices].entries()) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(slice.length)
      const data = Buffer.concat([length, slice])
      const type = index === 0 ? 'key' : 'delta'
      const packet = new EncodedPacket(data, type, index / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND)
      await track.add(packet, { decoderConfig })
    }
  })
}
