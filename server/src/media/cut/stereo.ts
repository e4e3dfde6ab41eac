/**
 * A sound from an exact time on, as stereo of 48 kHz: mono is on both sides, surround is mixed down, other rates are
 * resampled, and silence is where there is none. It runs in the child process only.
 */
import { type AudioSample, AudioSampleSink, type InputAudioTrack } from 'mediabunny'
import { MediaRefused } from '../refusal.ts'

export type Block = { left: Float32Array; right: Float32Array }
/** `at`: the number of its first sample, of those of the track from its time 0. */
type Piece = Block & { at: number }

export const SAMPLE_RATE = 48_000
/** Of AAC: what its encoder takes. */
export const BLOCK_SAMPLES = 1024

/** What decoders need before the first sample that is right: AAC one packet, Opus 80 ms, MP3 some packets. */
const PREROLL_S = 0.25
const CHANNELS_MAX = 8
const RATE_MIN = 4000
const RATE_MAX = 192_000

/**
 * @param audio null: silence
 * @param options.samples how many at 48 kHz
 * @returns blocks of BLOCK_SAMPLES, and a shorter last one
 * @throws MediaRefused UNDECODABLE
 */
export async function* stereoOf(
  audio: InputAudioTrack | null,
  { fromS, samples }: { fromS: number; samples: number },
): AsyncGenerator<Block> {
  const source = audio && (await openPieces(audio, fromS))
  try {
    for (let at = 0; at < samples; at += BLOCK_SAMPLES) {
      const length = Math.min(BLOCK_SAMPLES, samples - at)
      yield source ? await source.blockAt(fromS + at / SAMPLE_RATE, length) : silence(length)
    }
  } finally {
    await source?.close()
  }
}

export const damagedSound = () => new MediaRefused('UNDECODABLE', 'The sound is damaged: it cannot be decoded.')

const silence = (length: number): Block => ({ left: new Float32Array(length), right: new Float32Array(length) })

async function openPieces(audio: InputAudioTrack, fromS: number) {
  const sampled = new AudioSampleSink(audio).samples(fromS - PREROLL_S)
  const first = await sampled.next()
  const rate = first.done ? SAMPLE_RATE : first.value.sampleRate
  if (rate < RATE_MIN || rate > RATE_MAX) {
    throw new MediaRefused('UNSUPPORTED_CODEC', 'The sound has a sample rate that is not supported.')
  }
  const kernel = kernelOf(rate)
  let pieces: Piece[] = first.done ? [] : [pieceOf(first.value, rate)]
  let isAtEnd = first.done === true
  const pullTo = async (end: number) => {
    while (!isAtEnd && endOfPiece(pieces.at(-1)) < end) {
      const next = await sampled.next()
      if (next.done) isAtEnd = true
      else pieces.push(pieceOf(next.value, rate))
    }
  }
  return {
    /** @param atS never less than before */
    blockAt: async (atS: number, length: number): Promise<Block> => {
      // A time in milliseconds is a whole number of samples at most rates, and so is that of a packet.
      const first = Math.round(atS * rate * 1000) / 1000
      const low = Math.floor(first) - kernel.reach
      const high = Math.ceil(first + (length * rate) / SAMPLE_RATE) + kernel.reach
      await pullTo(high)
      pieces = pieces.filter((piece, index) => endOfPiece(piece) > low || index === pieces.length - 1)
      const window = { at: low, ...silence(high - low) }
      for (const piece of pieces) paste(piece, window)
      return kernel.resample(window, first, length)
    },
    close: async () => void (await sampled.return()),
  }
}

const endOfPiece = (piece: Piece | undefined): number =>
  piece ? piece.at + piece.left.length : Number.NEGATIVE_INFINITY

/** What is decoded. @throws MediaRefused for one that changes its rate */
function pieceOf(sample: AudioSample, rate: number): Piece {
  const { numberOfFrames: length, numberOfChannels: channels, timestamp } = sample
  if (sample.sampleRate !== rate || channels > CHANNELS_MAX) {
    throw damagedSound()
  }
  const all = new Float32Array(length * channels)
  sample.copyTo(all, { planeIndex: 0, format: 'f32' })
  sample.close()
  const piece = { at: Math.round(timestamp * rate), ...silence(length) }
  const sides = sidesOf(channels)
  for (const [gains, side] of [
    [sides.left, piece.left],
    [sides.right, piece.right],
  ] as const) {
    for (const [channel, gain] of gains) {
      for (let at = 0; at < length; at += 1) side[at] = (side[at] ?? 0) + gain * (all[at * channels + channel] ?? 0)
    }
  }
  return piece
}

/** Which channels are on each side, and how loud (ITU-R BS.775); the order is that of decoders. */
function sidesOf(channels: number): { left: [number, number][]; right: [number, number][] } {
  const half = Math.SQRT1_2
  if (channels === 1) return { left: [[0, 1]], right: [[0, 1]] }
  // Left, right, centre, (bass,) left behind, right behind.
  if (channels === 5 || channels === 6) {
    const behind = channels - 2
    const [left, right]: [number, number][][] = [
      [
        [0, 1],
        [2, half],
        [behind, half],
      ],
      [
        [1, 1],
        [2, half],
        [behind + 1, half],
      ],
    ]
    return { left: left ?? [], right: right ?? [] }
  }
  return { left: [[0, 1]], right: [[1, 1]] }
}

function paste(piece: Piece, window: Piece): void {
  const from = Math.max(0, window.at - piece.at)
  const to = Math.min(piece.left.length, window.at + window.left.length - piece.at)
  if (from >= to) return
  window.left.set(piece.left.subarray(from, to), piece.at + from - window.at)
  window.right.set(piece.right.subarray(from, to), piece.at + from - window.at)
}

/** Zero crossings of the kernel on each side, and its steps between two of them. */
const CROSSINGS = 16
const STEPS = 512

/** Resamples by a sinc under a Hann window; a higher rate is filtered to what 48 kHz can have. */
function kernelOf(rate: number) {
  const cutoff = Math.min(1, SAMPLE_RATE / rate)
  const reach = Math.ceil(CROSSINGS / cutoff)
  const table = Float64Array.from({ length: CROSSINGS * STEPS + 2 }, (_, index) => {
    const x = index / STEPS
    if (x >= CROSSINGS) return 0
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / CROSSINGS)) * cutoff
  })
  const weightAt = (distance: number) => {
    const place = Math.abs(distance) * cutoff * STEPS
    const index = Math.floor(place)
    const low = table[index] ?? 0
    return low + ((table[index + 1] ?? 0) - low) * (place - index)
  }
  return {
    reach,
    /** @param first the number of the first sample wanted; between two of the window's where it is no whole one */
    resample: (window: Piece, first: number, length: number): Block => {
      const step = rate / SAMPLE_RATE
      if (step === 1 && Number.isInteger(first)) {
        const at = first - window.at
        return { left: window.left.slice(at, at + length), right: window.right.slice(at, at + length) }
      }
      const block = silence(length)
      for (let index = 0; index < length; index += 1) {
        const centre = first + index * step - window.at
        let left = 0
        let right = 0
        for (let at = Math.ceil(centre - reach); at <= centre + reach; at += 1) {
          const weight = weightAt(at - centre)
          left += weight * (window.left[at] ?? 0)
          right += weight * (window.right[at] ?? 0)
        }
        block.left[index] = left
        block.right[index] = right
      }
      return block
    },
  }
}
