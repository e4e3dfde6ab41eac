/** A value for every parameter of a film, made of the fields' description, so that tests cover new ones. */
import { Type } from 'typebox'
import type { View } from '../../src/film/describe.ts'
import { fields, type Parameters } from '../../src/film/fields.ts'

type Described = {
  in: readonly string[]
  example?: unknown
  name?: string
  request?: { type?: string; format?: string }
}
export const describedFields: Record<string, Described> = fields

/** Each parameter: `key` in a row, `name` in a request. */
export const parameters = Object.entries(describedFields).flatMap(([key, { in: views, name, request }]) =>
  name && request ? [{ key, views, name, type: request.format ?? request.type ?? '' }] : [],
)
const samples: Record<string, (key: string, n: number) => unknown> = {
  string: (key) => `the ${key}`,
  uuid: (_key, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  boolean: () => true,
  array: (key) => [`the ${key}`],
  object: (key) => ({ [key]: 'sample' }),
}
const made = [{ role: 'start', kind: 'image', source: 'https://example.com/start.png' }]

/** Values that differ from each other and from the defaults; not those of a valid request. */
export const sampleParameters = Object.fromEntries(
  parameters.map(({ key, type }, n) => [key, key === 'madeOf' ? made : (samples[type]?.(key, n) ?? 1001 + n)]),
) as Parameters

/** What a view shows of what a request may ask for, and did not. */
export const leftOut = (view: View): Record<string, null> =>
  Object.fromEntries(
    Object.entries(describedFields).flatMap(([key, { in: views, example, request }]) =>
      (Type.IsOptional(request) || OF_REQUEST.includes(key)) &&
      example !== undefined &&
      key !== 'mode' &&
      views.includes(view)
        ? [[key, null]]
        : [],
    ),
  )
/** What follows from the inputs, and of several films. */
const OF_REQUEST = [
  'batchId',
  'inputs',
  'startImageUrl',
  'endImageUrl',
  'referenceImageUrls',
  'extendedFrom',
  'upscaledFrom',
]
