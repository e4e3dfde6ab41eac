/** What a vendor publishes about its models by machine. Each adapter reads the documents of its own vendor. */
import type { Mode } from '../film/mode.ts'
import { at, listAt, numberAt, textAt } from '../text/json-reader.ts'
import { cleanName } from '../text/name.ts'

/** One field of a vendor's request. `values`: of an enumeration. */
export type Field = {
  name: string
  type: string | null
  values: (string | number)[]
  minimum: number | null
  maximum: number | null
  itemsMax: number | null
  lengthMax: number | null
  default: unknown
  isRequired: boolean
}
/**
 * One name of a model at a vendor. `fields`: none where only the name is published. `input`: fields that are no plain
 * values. `cost`: all amounts, `unitUsd`: one of them, which others of the model are multiples of.
 */
export type Published = {
  model: string
  company?: string | undefined
  name?: string | undefined
  createdAt?: Date | undefined
  fields: Field[]
  modes?: Mode[]
  /** Of a server that publishes none: what is usual. */
  values?: { duration: number[]; quality: string[]; aspectRatio: string[] }
  input?: Record<string, string>
  cost?: { usd: Record<string, number>; source: string } | undefined
  unitUsd?: { per: 'second' | 'clip'; usd: number; source: string } | undefined
}

/**
 * `isWhole`: what it does not name, the vendor has not. Otherwise `gone` are those that the vendor said it has not.
 * `lacks`: what a server of one's own has not of what a route's input names, with a file that may stand for it.
 */
export type Listing = {
  models: Published[]
  gone: string[]
  isWhole: boolean
  lacks?: (input: unknown) => { what: string; instead: string | null }[]
}

/**
 * What a list is read with. `read`: a document; null: 404. It goes through the SSRF guard, is bounded in bytes, and
 * throws FetchError. `names`: those of the catalogue's routes. `since`: of older models that no route names the name is
 * enough.
 */
export type Wanted = {
  read: (url: string, headers?: Record<string, string>) => Promise<unknown>
  names: readonly string[]
  since: Date
}

export const NO_FIELD: Field = {
  name: '',
  type: null,
  values: [],
  minimum: null,
  maximum: null,
  itemsMax: null,
  lengthMax: null,
  default: undefined,
  isRequired: false,
}

/** More than any vendor has. */
const [FIELDS_MAX, VALUES_MAX, AMOUNTS_MAX, CHARACTERS_MAX, USD_MAX] = [100, 130, 100, 80, 1000]
const isShort = (value: unknown): boolean => typeof value !== 'string' || value.length <= CHARACTERS_MAX
/** An amount of 0 would sell films for next to nothing: such a price is none, and an administrator names one. */
const isAmount = (usd: number): boolean => usd >= 1e-6 && usd <= USD_MAX

/** What of it can be a model's: texts without control characters, amounts that are a price, and not more than usual. */
export function boundedPublished(published: Published): Published {
  const { name = '', company = '', cost, unitUsd, fields } = published
  const amounts = Object.values(cost?.usd ?? {})
  return {
    ...published,
    name: cleanName(name.slice(0, FIELDS_MAX * CHARACTERS_MAX), CHARACTERS_MAX) || undefined,
    company: cleanName(company.slice(0, FIELDS_MAX * CHARACTERS_MAX), CHARACTERS_MAX) || undefined,
    cost: amounts.length <= AMOUNTS_MAX && amounts.every(isAmount) ? cost : undefined,
    unitUsd: unitUsd && isAmount(unitUsd.usd) ? unitUsd : undefined,
    fields: fields
      .filter((field) => isShort(field.name))
      .slice(0, FIELDS_MAX)
      .map((field) => ({
        ...field,
        values: field.values.filter(isShort).slice(0, VALUES_MAX),
        default: isShort(field.default) ? field.default : undefined,
      })),
  }
}

/** The items of a vendor's list. @throws Error when the document has none */
export function itemsOf(document: unknown, ...path: string[]): unknown[] {
  const found = at(document, ...path)
  if (!Array.isArray(found)) throw new Error(`its list of models has no ${path.join('.')}`)
  return found
}

/** Seconds since 1970. */
export function dayOf(seconds: number | null): Date | undefined {
  return seconds === null || seconds <= 0 ? undefined : new Date(seconds * 1000)
}

/** The fields of a JSON schema. */
export function fieldsIn(document: unknown, schema: unknown): Field[] {
  const input = resolved(document, schema)
  const required = listAt(input, 'required')
  const properties = Object.entries((at(input, 'properties') ?? {}) as object)
  return properties.slice(0, FIELDS_MAX).map(([name, property]) => {
    const found = resolved(document, property)
    return {
      name,
      type: textAt(found, 'type'),
      values: listAt(found, 'enum').filter((each) => typeof each === 'string' || typeof each === 'number'),
      minimum: numberAt(found, 'minimum'),
      maximum: numberAt(found, 'maximum'),
      itemsMax: numberAt(found, 'maxItems'),
      lengthMax: numberAt(found, 'maxLength'),
      default: at(found, 'default'),
      isRequired: required.includes(name),
    }
  })
}

const DEPTH_MAX = 10
/** Of a property; the steps of one that refers to itself would multiply at each depth. */
const STEPS_MAX = 1_000

/** A schema with what it refers to; of several choices the first that is not null, with the values of all. */
function resolved(document: unknown, schema: unknown, depth = 0, steps = { left: STEPS_MAX }): object {
  if (typeof schema !== 'object' || schema === null || depth > DEPTH_MAX || steps.left === 0) return {}
  steps.left -= 1
  const path = /^#\/(.+)$/.exec(textAt(schema, '$ref') ?? '')?.[1]
  const referred = path === undefined ? [] : [at(document, ...path.split('/'))]
  const parts = [...referred, ...listAt(schema, 'allOf')].map((part) => resolved(document, part, depth + 1, steps))
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]
    .map((choice) => resolved(document, choice, depth + 1, steps))
    .filter((choice) => textAt(choice, 'type') !== 'null')
  const values = choices.flatMap((choice) => listAt(choice, 'enum'))
  return Object.assign({}, ...parts, choices[0] ?? {}, values.length > 0 ? { enum: values } : {}, schema)
}

/** Names by which a server that also has models of text and pictures tells those of films. */
const FILM_WORDS = /video|wan|hunyuan|ltx|cogvideo|mochi|[ti]2v|skyreels|sora|veo|kling|seedance|framepack|cosmos/i

/** The list of a server that speaks OpenAI's API: names alone. @param input of a request for a film */
export async function readOwnModels(
  { url, apiKey }: { url: string; apiKey: string },
  { read, names }: Wanted,
  input: Record<string, string>,
): Promise<Listing> {
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  const items = itemsOf(await read(`${url.replace(/\/v1$/, '')}/v1/models`, headers), 'data')
  const models = items.flatMap((each): Published[] => {
    const model = textAt(each, 'id')
    if (model === null || (!FILM_WORDS.test(model) && !names.includes(model) && items.length > 1)) return []
    return [{ model, fields: [], modes: ['text-to-video', 'image-to-video'], values: OWN_VALUES, input }]
  })
  return { models, gone: [], isWhole: true }
}
/** What most open models make. */
const OWN_VALUES = { duration: [1, 2, 3, 4, 5], quality: ['480p', '720p'], aspectRatio: ['16:9', '9:16'] }
