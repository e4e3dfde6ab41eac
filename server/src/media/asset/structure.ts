/**
 * Refuses an uploaded film or sound that is truncated, which its demuxer plays as far as it goes, and names a file that
 * is neither. An MP3 is a sequence of frames that may end anywhere. It runs in the child process.
 */
import { checkContainer, type FilmBytes, truncated } from '../film/structure.ts'
import { MediaRefused } from '../refusal.ts'

const FILMS = 'send an MP4, MOV or WebM'
const SOUNDS = 'send an MP3, WAV, M4A or OGG'
/** Signatures of other common kinds, so that the refusal can name them. */
const otherKinds: [name: string, pattern: RegExp, remedy: string][] = [
  ['a Matroska film', /^.{4,60}matroska/s, FILMS],
  ['an AVI film', /^RIFF.{4}AVI /s, FILMS],
  ['a Flash film', /^FLV/, FILMS],
  ['an MPEG stream', /^G.{187}G/s, FILMS],
  ['a Windows Media file', /^\x30\x26\xb2\x75/, `${FILMS}, or a sound as MP3, WAV, M4A or OGG`],
  ['a FLAC sound', /^(ID3.*)?fLaC/s, SOUNDS],
  ['an AIFF sound', /^FORM.{4}AIF/s, SOUNDS],
  ['an AAC sound without a container', /^\xff[\xf0\xf1\xf8\xf9]/, SOUNDS],
  ['an AMR sound', /^#!AMR/, SOUNDS],
  ['a MIDI file', /^MThd/, SOUNDS],
  ['a PDF', /^%PDF/, 'send an image, a film or a sound'],
  ['a ZIP file', /^PK/, 'send what is in it'],
]

/** @throws MediaRefused TRUNCATED or UNDECODABLE */
export function checkFile(file: FilmBytes): void {
  const head = Buffer.from(file.read(0, 12))
  const [name, kind] = [head.toString('latin1', 0, 4), head.toString('latin1', 8, 12)]
  if (name === 'OggS') checkPages(file)
  else if (name === 'RIFF' && kind === 'WAVE') checkRiff(head, file.sizeBytes)
  else checkContainer(file)
}

/** The refusal of a file that no demuxer reads. */
export function unknownFile(file: FilmBytes): MediaRefused {
  const head = Buffer.from(file.read(0, 1024)).toString('latin1')
  const [name, , remedy] = otherKinds.find(([, pattern]) => pattern.test(head)) ?? []
  const all = 'send a PNG, JPEG, WebP, AVIF, MP4, MOV, WebM, MP3, WAV, M4A or OGG'
  const what = name
    ? `This is ${name}`
    : file.sizeBytes === 0
      ? 'The file is empty'
      : 'This is not an image, a film or a sound'
  return new MediaRefused('NOT_AN_ASSET', `${what}; ${remedy ?? all}.`)
}

/** Recordings that were written as they were made have 0 or the largest number as their length. */
function checkRiff(head: Buffer, sizeBytes: number): void {
  const contentBytes = head.readUInt32LE(4)
  if (contentBytes < 0xffff_fff0 && 8 + contentBytes > sizeBytes) throw truncated()
}

/** Ogg: a sequence of pages, each with a table of the lengths of its segments (RFC 3533, 6). Other data may follow. */
function checkPages(file: FilmBytes): void {
  const HEADER_BYTES = 27
  let at = 0
  while (at < file.sizeBytes) {
    const header = Buffer.from(file.read(at, HEADER_BYTES + 255))
    if (header.length < HEADER_BYTES) throw truncated()
    if (header.toString('latin1', 0, 4) !== 'OggS') return
    const segments = header.readUInt8(26)
    const lengths = header.subarray(HEADER_BYTES, HEADER_BYTES + segments)
    at += HEADER_BYTES + segments + lengths.reduce((sum, length) => sum + length, 0)
  }
  if (at > file.sizeBytes) throw truncated()
}
