/**
 * A decoder of a film's pictures, which keeps the last one. It runs in the child process only: the decoder is native
 * code that processes untrusted bytes.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EncodedPacket, InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, getNativeVariant, VideoDecoder, type VideoFrame } from 'node-webcodecs'
import { MediaRefused } from '../refusal.ts'
import { checkFrameSize, type FilmLimits } from './film.ts'

// A missing native library is a failure of the server, so it must surface before a film is read.
if (getNativeVariant() === undefined) throw new Error('The decoder for films could not be loaded.')

export const undecodable = () => new MediaRefused('UNDECODABLE', 'The film is damaged: its picture cannot be decoded.')

/**
 * `close`: of the decoder, not of its last frame. `decode` and `flush` throw MediaRefused TOO_LARGE_PICTURE or
 * UNDECODABLE. `latest`: the caller closes the last one.
 * @param options.useWorkerThread false: a frame is there when `decode` returns
 */
export async function openDecoder(track: InputVideoTrack, limits: FilmLimits, options?: { useWorkerThread: false }) {
  let latest: VideoFrame | null = null
  let refusal: unknown = null
  const decoder = new VideoDecoder({
    output: (frame) => {
      latest?.close()
      latest = frame
      try {
        checkFrameSize(frame.codedWidth, frame.codedHeight, limits)
      } catch (error) {
        refusal ??= error
      }
    },
    error: () => {
      refusal ??= undecodable()
    },
  })
  decoder.configure({ ...(await decoderConfigOf(track)), ...options })
  const check = () => {
    if (refusal !== null) throw refusal
  }
  return {
    latest: (): VideoFrame | null => latest,
    decode: ({ type, data, microsecondTimestamp: timestamp, microsecondDuration: duration }: EncodedPacket) => {
      decoder.decode(new EncodedVideoChunk({ type, data, timestamp, duration }))
      check()
    },
    flush: async () => {
      await decoder.flush()
      // node-webcodecs 1.3 sends frames and the end of a flush on two queues, and calls back from the first one tick
      // later, so the last frame can come up to two ticks of the event loop after the flush.
      for (let tick = 0; tick < 3; tick += 1) await yieldToEventLoop()
      check()
    },
    close: (): void => {
      if (decoder.state !== 'closed') decoder.close()
    },
  }
}

export async function decoderConfigOf(track: InputVideoTrack) {
  const config = await track.getDecoderConfig()
  if (config === null) throw undecodable()
  return {
    // avc3/hev1 (parameter sets in the stream) decode like avc1/hvc1 (beside it); the decoder knows the latter names
    // only.
    codec: config.codec.replace(/^avc3/, 'avc1').replace(/^hev1/, 'hvc1'),
    ...(config.description && { description: config.description as Uint8Array }),
    // Otherwise the decoder buffers one frame a CPU core, up to sixteen: more memory on larger machines.
    optimizeForLatency: true,
  }
}
