/**
 * Reads what the inspecting child answers: one line of JSON, then the thumbnail's bytes.
 *
 * A film that took the child over may be speaking, so nothing is believed that could not be true of a film that was
 * accepted.
 */
import Type from 'typebox'
import { Check } from 'typebox/value'
import { readChild } from './child.ts'
import { type Film, type FilmLimits, FilmRefused, filmCodecs, filmRefusalCodes } from './refusal.ts'

export type Answer = { film: Film; thumbnail: { width: number; height: number }; jpeg: Buffer }

const refusedAnswer = Type.Object({
  refused: Type.Object({ code: Type.Enum(filmRefusalCodes), message: Type.String({ pattern: '^[^/\\\\]{1,200}$' }) }),
})

const inspectedAnswer = Type.Object({
  film: Type.Object({
    durationS: Type.Number({ exclusiveMinimum: 0 }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    codec: Type.Enum(filmCodecs),
    contentType: Type.Enum(['video/mp4', 'video/webm', 'video/quicktime']),
    extension: Type.Enum(['mp4', 'webm', 'mov']),
    sizeBytes: Type.Integer({ minimum: 1 }),
  }),
  thumbnail: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: 640 }),
    height: Type.Integer({ minimum: 1, maximum: 640 }),
  }),
})

/** @throws FilmRefused the child's refusal, or UNDECODABLE for an answer that cannot be true */
export function readAnswer(bytes: Buffer, limits: FilmLimits): Answer {
  const { told: answer, content: jpeg } = readChild(bytes)
  if (Check(refusedAnswer, answer)) throw new FilmRefused(answer.refused.code, answer.refused.message)
  if (!Check(inspectedAnswer, answer) || !isWithin(answer.film, limits) || !isJpeg(jpeg)) {
    throw new FilmRefused('UNDECODABLE', 'The film could not be decoded within the limits.')
  }
  return { ...answer, jpeg }
}

function isWithin(film: Film, limits: FilmLimits): boolean {
  return film.durationS <= limits.durationMaxS && film.width * film.height <= limits.pixelsMax
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}
