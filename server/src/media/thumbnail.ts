/**
 * Decodes a frame of a film and makes a JPEG of it. The decoded frame, not the container, says how large the picture
 * is. Runs in the inspecting child process only: the decoder is native code that is fed a stranger's bytes.
 */
import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from 'node-webcodecs'
import sharp from 'sharp'
import { type PictureColors, picturePlanes, toRgb } from './picture.ts'
import { checkPicture, type FilmLimits, FilmRefused } from './refusal.ts'

export type Thumbnail = { jpeg: Buffer; width: number; height: number }

const LONGER_SIDE_PIXELS = 640
const JPEG_QUALITY = 80
/** Frames decoded on the way from a key frame to the wanted one: what is nearest by then will do. */
const FRAMES_MAX = 30

const undecodable = () => new FilmRefused('UNDECODABLE', 'The film is damaged: its picture cannot be decoded.')

/**
 * @returns the thumbnail, and width and height of the film as it is shown
 * @throws FilmRefused TOO_LARGE_PICTURE or UNDECODABLE
 */
export async function makeThumbnail(
  track: InputVideoTrack,
  durationS: number,
  limits: FilmLimits,
): Promise<{ thumbnail: Thumbnail; width: number; height: number }> {
  const frame = await decodeFrame(track, durationS * 0.1, limits)
  const { codedWidth: width, codedHeight: height } = frame
  const planes = await picturePlanes(frame)
  frame.close()
  const scale = Math.min(1, LONGER_SIDE_PIXELS / Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const rgb = await toRgb(planes, size, await colorsOf(track, height))
  const rotation = await track.getRotation()
  const { data: jpeg, info } = await sharp(rgb, { raw: { ...size, channels: 3 } })
    .rotate(rotation)
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true })
  const turned = rotation === 90 || rotation === 270
  return {
    thumbnail: { jpeg, width: info.width, height: info.height },
    width: turned ? height : width,
    height: turned ? width : height,
  }
}

async function decodeFrame(track: InputVideoTrack, wantedS: number, limits: FilmLimits): Promise<VideoFrame> {
  const config = await track.getDecoderConfig()
  if (config === null) throw undecodable()
  let latest: VideoFrame | null = null
  let refusal: unknown = null
  const decoder = new VideoDecoder({
    output: (frame) => {
      latest?.close()
      latest = frame
      try {
        checkPicture(frame.codedWidth, frame.codedHeight, limits)
      } catch (error) {
        refusal ??= error
      }
    },
    error: () => {
      refusal ??= undecodable()
    },
  })
  decoder.configure({
    // Parameter sets inside the stream or beside it are one codec to the decoder, which knows it by one name only.
    codec: config.codec.replace(/^avc3/, 'avc1').replace(/^hev1/, 'hvc1'),
    ...(config.description && { description: config.description as Uint8Array }),
    // Otherwise the decoder holds one frame per processor core, up to sixteen: more memory on a larger machine.
    optimizeForLatency: true,
  })
  for await (const packet of packetsTo(track, wantedS)) {
    if (refusal !== null) break
    const { type, data, microsecondTimestamp, microsecondDuration } = packet
    decoder.decode(
      new EncodedVideoChunk({ type, data, timestamp: microsecondTimestamp, duration: microsecondDuration }),
    )
  }
  await decoder.flush()
  if (refusal !== null) throw refusal
  if (latest === null) throw undecodable()
  return latest
}

/** The packets from the key frame before a time up to that time; from the first one where there is none before. */
async function* packetsTo(track: InputVideoTrack, wantedS: number) {
  const sink = new EncodedPacketSink(track)
  let packet = (await sink.getKeyPacket(wantedS, { verifyKeyPackets: true })) ?? (await sink.getFirstKeyPacket())
  for (let frames = 0; packet !== null && frames < FRAMES_MAX; frames++) {
    yield packet
    if (packet.timestamp >= wantedS) break
    packet = await sink.getNextPacket(packet)
  }
}

/** What the film says of its colours, and the custom of the trade where it says nothing. */
async function colorsOf(track: InputVideoTrack, height: number): Promise<PictureColors> {
  const { matrix, fullRange } = await track.getColorSpace()
  const usual = height >= 720 ? 'bt709' : 'bt601'
  const named = matrix === 'bt709' ? 'bt709' : matrix === 'smpte170m' || matrix === 'bt470bg' ? 'bt601' : null
  return {
    matrix: named ?? ((matrix as string | null | undefined)?.startsWith('bt2020') ? 'bt2020' : usual),
    fullRange: fullRange ?? false,
  }
}
