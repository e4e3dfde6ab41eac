/** The vocabulary of the facts about vendors. Invariant: an object takes no other fields than those that are named. */
import { type TSchema, Type } from 'typebox'

export type Fields = Record<string, TSchema>
const strict = { additionalProperties: false }
export const text = Type.String({ minLength: 1 })
export const link = Type.String({ pattern: '^https://' })
export const flag = Type.Boolean()
export const off = Type.Literal(false)
export const number = Type.Number()
export const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
export const one = (...values: (string | number)[]) => Type.Enum(values)
/** Numbers as text: "4", "5", … */
export const digits = (from: number, to: number) =>
  one(...Array.from({ length: to - from + 1 }, (_, i) => String(from + i)))
export const list = (item: TSchema, minItems: number, maxItems: number) => Type.Array(item, { minItems, maxItems })
export const object = (required: Fields, optional: Fields = {}) =>
  Type.Object(
    { ...required, ...Object.fromEntries(Object.entries(optional).map(([name, each]) => [name, Type.Optional(each)])) },
    strict,
  )
/** A field in one mode, so that the others refuse it. */
export type Facts = TSchema | { [mode: string]: TSchema }

export const RATIO3 = one('16:9', '9:16', '1:1')
export const RATIO5 = one('16:9', '9:16', '1:1', '4:3', '3:4')
export const RATIO6 = one('16:9', '9:16', '1:1', '4:3', '3:4', '21:9')
export const RATIO8 = one('16:9', '9:16', '1:1', '4:3', '3:4', '2:3', '3:2', '21:9')
export const HAPPY_HORSE_RATIO = one('16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21', '5:4', '4:5')
export const seed = integer(0, 2 ** 31 - 1)
/** One start image, or the two frames. */
const frames = { 'image-to-video': 1, 'first-last': 2 } as const
export const byFrames = (facts: (images: number) => TSchema) =>
  Object.fromEntries(Object.entries(frames).map(([mode, images]) => [mode, facts(images)]))
export const veoRatio = { aspect_ratio: one('16:9', '9:16') }
