/**
 * The sound of a cut: that of its shots one after the other, under the sound beside them, as AAC. The pictures set its
 * time: a shot's sound ends at the sample that belongs to the end of its last picture, so no difference adds up over
 * joins. It runs in the child process only.
 */
import { type EncodedAudioPacketSource, EncodedPacket } from 'mediabunny'
import { AudioData, AudioEncoder } from 'node-webcodecs'
import { BLOCK_SAMPLES, type Block, SAMPLE_RATE } from './stereo.ts'

const BITS_PER_SECOND = 192_000
/** AAC-LC. */
const CODEC = 'mp4a.40.2'

/** At which sample a picture begins. */
export const sampleAt = (picture: number, fps: number): number => Math.round((picture * SAMPLE_RATE) / fps)

/** How much is in the packets of a sound of that length: an encoder begins with a packet of its own. */
export const packetsMax = (samples: number): number => Math.ceil(samples / BLOCK_SAMPLES) + 2

/** `gainAt`: how loud a sample is. */
export type Layer = { blocks: AsyncGenerator<Block>; gainAt: (sample: number) => number }

/** Adds sounds of the same length. Louder than what can be is cut off. */
export async function* mixed(layers: Layer[]): AsyncGenerator<Block> {
  for (let at = 0; ; at += BLOCK_SAMPLES) {
    const length = { samples: 0 }
    const sum = { left: new Float32Array(BLOCK_SAMPLES), right: new Float32Array(BLOCK_SAMPLES) }
    for (const { blocks, gainAt } of layers) {
      const { value } = await blocks.next()
      if (!value) return
      length.samples = value.left.length
      for (let index = 0; index < value.left.length; index += 1) {
        const gain = gainAt(at + index)
        sum.left[index] = (sum.left[index] ?? 0) + gain * (value.left[index] ?? 0)
        sum.right[index] = (sum.right[index] ?? 0) + gain * (value.right[index] ?? 0)
      }
    }
    const side = (all: Float32Array) => all.subarray(0, length.samples).map((value) => Math.max(-1, Math.min(1, value)))
    yield { left: side(sum.left), right: side(sum.right) }
  }
}

/** Joins sounds of any lengths to blocks of one. */
export async function* joined(sounds: AsyncIterable<Block>): AsyncGenerator<Block> {
  const empty = () => ({ left: new Float32Array(BLOCK_SAMPLES), right: new Float32Array(BLOCK_SAMPLES) })
  let block = empty()
  let filled = 0
  for await (const { left, right } of sounds) {
    for (let at = 0; at < left.length; ) {
      const taken = Math.min(left.length - at, BLOCK_SAMPLES - filled)
      block.left.set(left.subarray(at, at + taken), filled)
      block.right.set(right.subarray(at, at + taken), filled)
      at += taken
      filled += taken
      if (filled < BLOCK_SAMPLES) continue
      yield block
      block = empty()
      filled = 0
    }
  }
  if (filled > 0) yield { left: block.left.subarray(0, filled), right: block.right.subarray(0, filled) }
}

/** An encoder of AAC. `take` removes and returns the packets that are ready, and throws when the encoder has failed. */
export function openSoundEncoder() {
  const packets: { data: Uint8Array; decoderConfig: AudioDecoderConfig }[] = []
  const failures: unknown[] = []
  const format = { sampleRate: SAMPLE_RATE, numberOfChannels: 2 }
  const decoderConfig: AudioDecoderConfig = { codec: CODEC, ...format }
  const encoder = new AudioEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const description = metadata?.decoderConfig?.description
      if (description) decoderConfig.description ??= new Uint8Array(description as ArrayBuffer)
      packets.push({ data, decoderConfig })
    },
    error: (error) => failures.push(error),
  })
  encoder.configure({ codec: CODEC, ...format, bitrate: BITS_PER_SECOND })
  let encoded = 0
  return {
    encode: (block: Block): void => {
      const numberOfFrames = block.left.length
      const timestamp = (encoded / SAMPLE_RATE) * 1e6
      const data = interleaved(block)
      encoder.encode(new AudioData({ ...format, format: 'f32', numberOfFrames, timestamp, data }))
      encoded += numberOfFrames
    },
    take: () => {
      if (failures.length > 0) throw failures[0]
      return packets.splice(0)
    },
    flush: async (): Promise<void> => await encoder.flush(),
    close: (): void => encoder.close(),
  }
}

/**
 * Writes a sound of `samples`. `writeTo` goes on up to a sample, so that pictures and sound lie side by side in the
 * file; `end` writes the rest.
 */
export function openSoundWriter(source: EncodedAudioPacketSource, blocks: AsyncGenerator<Block>, samples: number) {
  const encoder = openSoundEncoder()
  let encoded = 0
  // The encoder begins with a packet that only prepares decoders.
  let packetAt = -BLOCK_SAMPLES
  const drain = async () => {
    for (const { data, decoderConfig } of encoder.take()) {
      const length = Math.min(BLOCK_SAMPLES, samples - packetAt)
      if (length > 0) {
        const packet = new EncodedPacket(data, 'key', packetAt / SAMPLE_RATE, length / SAMPLE_RATE)
        await source.add(packet, { decoderConfig })
      }
      packetAt += BLOCK_SAMPLES
    }
  }
  const writeTo = async (sample: number) => {
    while (encoded < Math.min(sample, samples)) {
      const { value: block } = await blocks.next()
      if (!block) throw new Error('The sound of a cut is shorter than its pictures.')
      encoder.encode(block)
      encoded += block.left.length
      await drain()
    }
  }
  return {
    writeTo,
    end: async (): Promise<void> => {
      await writeTo(samples)
      await encoder.flush()
      await drain()
      encoder.close()
      source.close()
    },
  }
}

function interleaved({ left, right }: Block): Float32Array {
  const both = new Float32Array(left.length * 2)
  for (let at = 0; at < left.length; at += 1) {
    both[at * 2] = left[at] ?? 0
    both[at * 2 + 1] = right[at] ?? 0
  }
  return both
}
