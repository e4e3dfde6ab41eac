/**
 * Validates the reply of the film's child process: one line of JSON, then the thumbnail's bytes. A hostile film may control
 * the child, so a reply that no acceptable film could produce is refused.
 */
import Type from 'typebox'
import { Check } from 'typebox/value'
import { parseReply } from '../child-process.ts'
import {
  type Film,
  type FilmExtension,
  type FilmLimits,
  FilmRefused,
  filmCodecs,
  filmContentTypes,
  filmRefusalCodes,
} from './refusal.ts'

type Reply = { film: Film; thumbnail: { width: number; height: number }; jpeg: Buffer }

const refusedReply = Type.Object({
  refused: Type.Object({ code: Type.Enum(filmRefusalCodes), message: Type.String({ pattern: '^[^/\\\\]{1,200}$' }) }),
})

const inspectedReply = Type.Object({
  film: Type.Object({
    durationS: Type.Number({ exclusiveMinimum: 0 }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    codec: Type.Enum(filmCodecs),
    contentType: Type.Enum(Object.values(filmContentTypes)),
    extension: Type.Enum(Object.keys(filmContentTypes) as FilmExtension[]),
    sizeBytes: Type.Integer({ minimum: 1 }),
  }),
  thumbnail: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: 640 }),
    height: Type.Integer({ minimum: 1, maximum: 640 }),
  }),
})

/** @throws FilmRefused the child's refusal, or UNDECODABLE for an implausible reply */
export function validateReply(bytes: Buffer, limits: FilmLimits): Reply {
  const { line, content: jpeg } = parseReply(bytes)
  if (Check(refusedReply, line)) throw new FilmRefused(line.refused.code, line.refused.message)
  if (!Check(inspectedReply, line) || !isWithin(line.film, limits) || !isJpeg(jpeg)) {
    throw new FilmRefused('UNDECODABLE', 'The film could not be decoded within the limits.')
  }
  return { ...line, jpeg }
}

function isWithin(film: Film, limits: FilmLimits): boolean {
  return film.durationS <= limits.durationMaxS && film.width * film.height <= limits.pixelsMax
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}
