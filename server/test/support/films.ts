/** Makes films for tests: whole ones, damaged ones and hostile ones, as bytes. */
import { readFile } from 'node:fs/promises'
import {
  BufferSource,
  BufferTarget,
  Conversion,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Input,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { VideoEncoder, VideoFrame } from 'node-webcodecs'
import {
  FRAMES_PER_SECOND,
  greyStream,
  lengthPrefixed,
  type PixelFormat,
  parameterSets,
  type Stream,
} from './grey-stream.ts'

/** `live` is WebM written as it is made: its parts do not say how large they are. */
type Container = 'mp4' | 'mov' | 'webm' | 'live' | 'fragmented'

/** A whole H.264 film of plain grey pictures. */
export async function greyFilm(
  width: number,
  height: number,
  seconds: number,
  options: { container?: Container; rotation?: 90 | 180 | 270; format?: PixelFormat; framesPerSecond?: number } = {},
): Promise<Buffer> {
  const { container = 'mp4', rotation, format, framesPerSecond = FRAMES_PER_SECOND } = options
  const stream = greyStream(width, height, Math.round(seconds * framesPerSecond), format)
  return await mux(stream, container, rotation, framesPerSecond)
}

/** 8192×8192 pixels of H.264: 0.4 GB to decode one picture, 0.5 MB to send. */
export async function bombFilm(): Promise<Buffer> {
  return await greyFilm(8192, 8192, 2)
}

/**
 * The same bomb in a container that claims 640×360.
 * @param configuration `true size`: the decoder configuration has the true size; `false size`: it claims 640×360 too,
 * and
 *   the true size is only in the data of the first frame
 */
export async function disguisedBombFilm(configuration: 'true size' | 'false size'): Promise<Buffer> {
  const bomb = greyStream(8192, 8192, 24)
  const small = greyStream(640, 360, 1)
  const first = bomb.packets[0]
  if (first === undefined) throw new Error('The bomb has no picture.')
  const inBand = [{ data: Buffer.concat([...parameterSets(8192, 8192).map(lengthPrefixed), first.data]), key: true }]
  const description = configuration === 'false size' ? small.description : bomb.description
  const packets = [...inBand, ...bomb.packets.slice(1)]
  return await mux({ ...small, ...(description && { description }), packets }, 'mp4')
}

/** A film whose picture grows from 320×180 to 8192×8192 at its second frame. */
export async function growingFilm(): Promise<Buffer> {
  const small = greyStream(320, 180, 48)
  const bomb = greyStream(8192, 8192, 1).packets[0]
  if (bomb === undefined) throw new Error('The bomb has no picture.')
  const data = Buffer.concat([...parameterSets(8192, 8192).map(lengthPrefixed), bomb.data])
  small.packets[1] = { data, key: false }
  return await mux(small, 'mp4')
}

/** A film from a real encoder, with a red left half and a blue right half. */
export async function paintedFilm(
  codec: 'avc' | 'vp8' | 'vp9',
  width: number,
  height: number,
  seconds: number,
  container: Container = codec === 'avc' ? 'mp4' : 'webm',
): Promise<Buffer> {
  return await mux(await paintedStream(codec, width, height, Math.round(seconds * FRAMES_PER_SECOND)), container)
}

/** A film of 320×180 pixels with one colour in each second, and a key frame at its beginning alone. */
export async function colouredFilm(seconds: readonly [red: number, green: number, blue: number][]): Promise<Buffer> {
  const pixels = seconds.map((colour) => Buffer.alloc(320 * 180 * 4, Uint8Array.of(...colour, 255)))
  const painted = { pixelsAt: (second: number) => pixels[second] ?? Buffer.alloc(0), keySeconds: seconds.length }
  return await mux(await paintedStream('avc', 320, 180, seconds.length * FRAMES_PER_SECOND, painted), 'mp4')
}

/**
 * The AV1 counterpart of paintedFilm: 640×360 pixels, 2 s, encoded once. Its encoder (SVT-AV1, as root) sets SCHED_FIFO
 * 99 on the process, which all its later child processes inherit; they then starve every other process of the machine.
 */
export const paintedAv1Film = (): Promise<Buffer> => readFile(new URL('./painted-av1.webm', import.meta.url))

/** The same pictures by x265 (ffmpeg -c:v libx265 -tag:v hvc1), which no library here encodes. */
export const paintedHevcMp4 = (): Promise<Buffer> => readFile(new URL('./painted-hevc.mp4', import.meta.url))

/** The same pictures in MP4. */
export async function paintedAv1Mp4(): Promise<Buffer> {
  using input = new Input({ source: new BufferSource(await paintedAv1Film()), formats: [WEBM] })
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const conversion = await Conversion.init({ input, output })
  await conversion.execute()
  return bytesOf(target)
}

/** Sound without a picture, in the container of a film. */
export async function soundOnlyFilm(): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  for (let i = 0; i < 50; i++) {
    // 0xfc: one 20 ms frame of full-band stereo; its content is never looked at.
    await source.add(new EncodedPacket(Uint8Array.of(0xfc, 0xff, 0xfe), 'key', i * 0.02, 0.02), {
      decoderConfig: { codec: 'opus', sampleRate: 48_000, numberOfChannels: 2 },
    })
  }
  await output.finalize()
  return bytesOf(target)
}

/** The film without its last part. */
export function cutShort(film: Buffer, keep: number): Buffer {
  return film.subarray(0, Math.floor(film.length * keep))
}

/** The film without its top-level boxes of that name. */
export function withoutBox(film: Buffer, name: string): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < film.length; ) {
    const sizeBytes = film.readUInt32BE(at) === 1 ? Number(film.readBigUInt64BE(at + 8)) : film.readUInt32BE(at)
    if (film.toString('latin1', at + 4, at + 8) !== name) kept.push(film.subarray(at, at + sizeBytes))
    at += sizeBytes
  }
  return Buffer.concat(kept)
}

/** The MP4 with another rotation in its metadata: the matrix of `tkhd` (ISO/IEC 14496-12, 8.3.2). */
export function rotated(film: Buffer, rotation: 90 | 270): Buffer {
  const turned = Buffer.from(film)
  const sine = rotation === 90 ? 1 : -1
  const matrixAt = turned.indexOf('tkhd') + 4 + 40
  for (const [index, value] of [0, sine, 0, -sine, 0].entries())
    turned.writeInt32BE(value * 0x10000, matrixAt + index * 4)
  return turned
}

/** The film with every picture's data overwritten by zeros: the index is whole, the pictures are not. */
export function withBlankPictures(film: Buffer): Buffer {
  const blank = Buffer.from(film)
  const mdat = blank.indexOf('mdat')
  blank.fill(0, mdat + 12, mdat - 4 + blank.readUInt32BE(mdat - 4))
  return blank
}

/** The film with an index that lists four thousand million pictures: a reader keeps each of them in memory. */
export function withEndlessTable(film: Buffer): Buffer {
  const endless = Buffer.from(film)
  const table = endless.indexOf('stts')
  endless.writeUInt32BE(0xffff_ffff, table + 12)
  // Turned into a table of shifted times, the list of key frames makes the reader expand the other table.
  const sync = endless.indexOf('stss')
  endless.write('ctts', sync, 'latin1')
  endless.writeUInt32BE(1, sync + 8)
  return endless
}

/** The film with an index that says one run of pictures has four thousand million: a reader adds up all their sizes. */
export function withEndlessChunk(film: Buffer): Buffer {
  const endless = Buffer.from(film)
  endless.writeUInt32BE(0xffff_ffff, endless.indexOf('stsc') + 16)
  return endless
}

/** The start of a film whose index has that many bytes; the rest may be a hole in the file. */
export function startOfHugeIndex(film: Buffer, indexBytes: number): Buffer {
  const index = box('moov', Buffer.alloc(0))
  index.writeUInt32BE(indexBytes)
  return Buffer.concat([film.subarray(0, film.readUInt32BE(0)), index])
}

/** A film whose index holds boxes within boxes, this deep. */
export function nestedFilm(film: Buffer, depth = 100_000): Buffer {
  const boxes = Buffer.alloc(depth * 8)
  for (let i = 0; i < depth; i++) {
    boxes.writeUInt32BE((depth - i) * 8, i * 8)
    boxes.write('trak', i * 8 + 4, 'latin1')
  }
  return Buffer.concat([film.subarray(0, film.readUInt32BE(0)), box('moov', boxes)])
}

/** Four million empty boxes where a film should be. */
export function manyBoxesFilm(film: Buffer): Buffer {
  const ftypBytes = film.readUInt32BE(0)
  const free = box('free', Buffer.alloc(0))
  return Buffer.concat([film.subarray(0, ftypBytes), Buffer.alloc(free.length * 4_000_000, free)])
}

function box(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.length)
  header.write(name, 4, 'latin1')
  return Buffer.concat([header, content])
}

async function mux(
  stream: Stream,
  container: Container,
  rotation: 0 | 90 | 180 | 270 = 0,
  framesPerSecond = FRAMES_PER_SECOND,
): Promise<Buffer> {
  const formats: Record<Container, () => OutputFormat> = {
    mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
    mov: () => new MovOutputFormat({ fastStart: false }),
    webm: () => new WebMOutputFormat(),
    live: () => new WebMOutputFormat({ appendOnly: true }),
    fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 0.5 }),
  }
  const target = new BufferTarget()
  const output = new Output({ format: formats[container](), target })
  const source = new EncodedVideoPacketSource(stream.codec)
  output.addVideoTrack(source, rotation === 0 ? {} : { rotation })
  await output.start()
  const decoderConfig = {
    codec: stream.codecString,
    codedWidth: stream.width,
    codedHeight: stream.height,
    ...(stream.description && { description: stream.description }),
  }
  for (const [i, packet] of stream.packets.entries()) {
    const at = new EncodedPacket(packet.data, packet.key ? 'key' : 'delta', i / framesPerSecond, 1 / framesPerSecond)
    await source.add(at, { decoderConfig })
  }
  await output.finalize()
  return bytesOf(target)
}

function bytesOf(target: BufferTarget): Buffer {
  if (target.buffer === null) throw new Error('The film has no bytes.')
  return Buffer.from(target.buffer)
}

async function paintedStream(
  codec: 'avc' | 'vp8' | 'vp9',
  width: number,
  height: number,
  frames: number,
  { pixelsAt, keySeconds = 1 }: { pixelsAt?: (second: number) => Buffer; keySeconds?: number } = {},
): Promise<Stream> {
  const codecString = { avc: 'avc1.42E028', vp8: 'vp8', vp9: 'vp09.00.40.08' }[codec]
  const stream: Stream = { codec, codecString, packets: [], width, height }
  const failures: unknown[] = []
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      stream.packets.push({ data, key: chunk.type === 'key' })
      const config = metadata?.decoderConfig
      if (config?.description) stream.description ??= new Uint8Array(config.description)
    },
    error: (error) => failures.push(error),
  })
  encoder.configure({ codec: codecString, width, height, bitrate: 1_000_000, framerate: FRAMES_PER_SECOND })
  const same = halves(width, height)
  for (let i = 0; i < frames; i++) {
    const pixels = pixelsAt?.(Math.floor(i / FRAMES_PER_SECOND)) ?? same
    const timestamp = Math.round((i * 1_000_000) / FRAMES_PER_SECOND)
    const frame = new VideoFrame(pixels, { format: 'RGBA', codedWidth: width, codedHeight: height, timestamp })
    encoder.encode(frame, { keyFrame: i % (keySeconds * FRAMES_PER_SECOND) === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  if (failures.length > 0 || stream.packets.length === 0) throw new Error(`No ${codec} film: ${String(failures[0])}`)
  return stream
}

function halves(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    pixels.writeUInt32BE(i % width < width / 2 ? 0xdc1e_1eff : 0x1e1e_dcff, i * 4)
  }
  return pixels
}
