/** Makes sounds for tests, and films with sound, as bytes: a tone from a real encoder. */
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type MetadataTags,
  MovOutputFormat,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { AudioData, AudioEncoder } from 'node-webcodecs'

type SoundCodec = 'mp3' | 'aac' | 'opus' | 'pcm-s16'
type Packet = { data: Uint8Array; timestamp: number; duration: number }
type Encoded = { packets: Packet[]; description?: Uint8Array }
type SoundOptions = { container?: Container; tags?: MetadataTags }
type Container = 'mp3' | 'wav' | 'm4a' | 'ogg' | 'webm' | 'mov'

const SAMPLE_RATE = 48_000
const formats: Record<Container, () => OutputFormat> = {
  mp3: () => new Mp3OutputFormat(),
  wav: () => new WavOutputFormat(),
  m4a: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  ogg: () => new OggOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mov: () => new MovOutputFormat({ fastStart: 'in-memory' }),
}
const usual = { mp3: 'mp3', aac: 'm4a', opus: 'ogg', 'pcm-s16': 'wav' } as const

/** A tone of 440 Hz in the codec's usual container. */
export async function sound(codec: SoundCodec, seconds: number, options: SoundOptions = {}): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: formats[options.container ?? usual[codec]](), target })
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  if (options.tags) output.setMetadataTags(options.tags)
  await output.start()
  await addSound(source, codec, await encode(codec, seconds))
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}

/** What a remade film has: a tone as long as the film, metadata, colours, an alpha channel. */
type Remade = {
  codec?: SoundCodec
  container?: 'm4a' | 'webm' | 'mov'
  tags?: MetadataTags
  colorSpace?: VideoColorSpaceInit
  isTransparent?: boolean
  /** Each picture is shown a little longer than the one before. */
  isUneven?: boolean
}

/** The film's pictures in a new container. */
export async function remade(film: Buffer, options: Remade): Promise<Buffer> {
  const { codec, container = 'm4a', tags, colorSpace, isTransparent, isUneven } = options
  using input = new Input({ source: new BufferSource(film), formats: [MP4, WEBM] })
  const video = await input.getPrimaryVideoTrack()
  const videoCodec = await video?.getCodec()
  if (!video || !videoCodec) throw new Error('The film has no picture.')
  const target = new BufferTarget()
  const output = new Output({ format: formats[container](), target })
  const picture = new EncodedVideoPacketSource(videoCodec)
  output.addVideoTrack(picture, { rotation: await video.getRotation() })
  const tone = codec && new EncodedAudioPacketSource(codec)
  if (tone) output.addAudioTrack(tone)
  if (tags) output.setMetadataTags(tags)
  await output.start()
  const config = await video.getDecoderConfig()
  const meta = config ? { decoderConfig: { ...config, ...(colorSpace && { colorSpace }) } } : {}
  const pictures = async () => {
    for await (const packet of new EncodedPacketSink(video).packets()) {
      const alpha = { alpha: packet.data, alphaByteLength: packet.byteLength }
      const { timestamp, duration } = packet
      const uneven = { timestamp: timestamp + timestamp ** 2 / 10, duration: duration * (1 + timestamp / 5) }
      await picture.add(packet.clone({ ...(isTransparent && { sideData: alpha }), ...(isUneven && uneven) }), meta)
    }
    picture.close()
  }
  const sounds = tone && codec && addSound(tone, codec, await encode(codec, await input.computeDuration()))
  await Promise.all([pictures(), sounds])
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}

/** A WAV of silence: 8 bits, one channel. @param dataBytes what its header claims */
export function silence(seconds: number, dataBytes = seconds * 8000, sampleRate = 8000): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return Buffer.concat([header, Buffer.alloc(seconds * sampleRate, 128)])
}

async function addSound(source: EncodedAudioPacketSource, codec: SoundCodec, { packets, description }: Encoded) {
  const decoderConfig = {
    codec: codec === 'aac' ? 'mp4a.40.2' : codec,
    sampleRate: SAMPLE_RATE,
    numberOfChannels: 1,
    ...(description && { description }),
  }
  for (const { data, timestamp, duration } of packets) {
    await source.add(new EncodedPacket(data, 'key', timestamp, duration), { decoderConfig })
  }
  source.close()
}

async function encode(codec: SoundCodec, seconds: number): Promise<Encoded> {
  const samples = tone(seconds)
  if (codec === 'pcm-s16') {
    const data = Int16Array.from(samples, (sample) => sample * 32_767)
    return { packets: [{ data: new Uint8Array(data.buffer), timestamp: 0, duration: seconds }] }
  }
  const encoded: Encoded = { packets: [] }
  const failures: unknown[] = []
  const encoder = new AudioEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const description = metadata?.decoderConfig?.description
      if (description) encoded.description ??= new Uint8Array(description as ArrayBuffer)
      encoded.packets.push({ data, timestamp: chunk.timestamp / 1e6, duration: (chunk.duration ?? 0) / 1e6 })
    },
    error: (error) => failures.push(error),
  })
  const name = codec === 'aac' ? 'mp4a.40.2' : codec
  encoder.configure({ codec: name, sampleRate: SAMPLE_RATE, numberOfChannels: 1, bitrate: 32_000 })
  // The encoder takes one frame at a time.
  const frame = { mp3: 1152, aac: 1024, opus: 960 }[codec]
  for (let at = 0; at < samples.length; at += frame) {
    const data = samples.slice(at, at + frame)
    const format = { format: 'f32' as const, sampleRate: SAMPLE_RATE, numberOfChannels: 1 }
    const timestamp = (at / SAMPLE_RATE) * 1e6
    encoder.encode(new AudioData({ ...format, data, numberOfFrames: data.length, timestamp }))
  }
  await encoder.flush()
  encoder.close()
  if (failures.length > 0 || encoded.packets.length === 0) throw new Error(`No ${codec} sound: ${String(failures[0])}`)
  return encoded
}

const tone = (seconds: number): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * SAMPLE_RATE) },
    (_, at) => Math.sin((at * 440 * 2 * Math.PI) / SAMPLE_RATE) / 2,
  )
