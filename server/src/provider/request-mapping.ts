/**
 * The body of a vendor's request as data: each field is a JSONata expression over the checked request. An expression
 * that is a name alone, as most are, or a list of one is looked up without JSONata, whose process is started with the
 * first one that is more than that.
 */
import { entryOf } from '../text/json-reader.ts'
import { runExpressions } from './expression.ts'
import type { Answer } from './expression-answer.ts'

/** The fields of a body: expressions, or objects of them. */
export type Mapping = { [field: string]: string | Mapping }

type LookUp = (request: object) => unknown
type Field = { path: string[]; value: unknown }

/**
 * The body for a request. A field whose value is undefined is left out, and an object without fields too.
 * @param request what a user has asked for, without what is absent
 * @throws Error that names the field whose expression fails, is no expression, or exceeds a limit
 */
export async function mapRequest(mapping: Mapping, request: object): Promise<Record<string, unknown>> {
  const fields = jsonataFields(mapping)
  const answers = fields.length > 0 ? await answersTo(fields, request) : null
  for (const { path, value } of answers ? fields : []) {
    const problem = answers?.get(value)?.problem
    if (problem !== undefined) throw new Error(`${path.join('.')} ${problem}`)
  }
  const evaluate = (text: string): unknown => {
    const lookUp = lookUpOf(text)
    return lookUp ? lookUp(request) : answers?.get(text)?.value
  }
  return bodyOf(mapping, evaluate) ?? {}
}

/**
 * @param request that each expression is tried with; undefined: none is evaluated
 * @returns where a field is wrong, by its path, and why
 */
export async function problemsOfMapping(
  mapping: object,
  request?: object,
): Promise<{ path: string[]; text: string }[]> {
  const answers = await answersTo(jsonataFields(mapping), request ?? null)
  return fieldsOf(mapping).flatMap(({ path, value }) => {
    const text =
      typeof value === 'string'
        ? answers.get(value)?.problem
        : `must be an expression in quotes, such as "${JSON.stringify(value)}"`
    return text === undefined ? [] : [{ path, text }]
  })
}

function bodyOf(mapping: Mapping, evaluate: (text: string) => unknown): Record<string, unknown> | undefined {
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(mapping)) {
    const found = typeof value === 'string' ? evaluate(value) : bodyOf(value, evaluate)
    if (found !== undefined) body[field] = found
  }
  return Object.keys(body).length > 0 ? body : undefined
}

async function answersTo(fields: Field[], request: object | null): Promise<Map<unknown, Answer>> {
  const texts = [...new Set(fields.map(({ value }) => String(value)))]
  const answers = texts.length > 0 ? await runExpressions(texts, request) : []
  return new Map(texts.map((text, i) => [text, answers[i] ?? {}]))
}

const fieldsByMapping = new WeakMap<object, Field[]>()

/** The fields that take JSONata. */
function jsonataFields(mapping: object): Field[] {
  const known = fieldsByMapping.get(mapping)
  if (known) return known
  const fields = fieldsOf(mapping).filter(({ value }) => typeof value === 'string' && lookUpOf(value) === null)
  fieldsByMapping.set(mapping, fields)
  return fields
}

function fieldsOf(mapping: object, above: string[] = []): Field[] {
  return Object.entries(mapping).flatMap(([field, value]: [string, unknown]) => {
    const path = [...above, field]
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? fieldsOf(value, path) : [{ path, value }]
  })
}

/** The catalogue names them, so that they are few. */
const lookUps = new Map<string, LookUp | null>()

function lookUpOf(text: string): LookUp | null {
  const known = lookUps.get(text) ?? lookUp(text)
  lookUps.set(text, known)
  return known
}

const NAME = /^(?!(true|false|null|and|or|in)\b)([A-Za-z_]\w*)( \? \[\2\])?$/
/** Null: the expression is neither a name nor `name ? [name]`, a list of one where there is something. */
function lookUp(text: string): LookUp | null {
  const [, , name, isList] = NAME.exec(text) ?? []
  if (name === undefined) return null
  return (request) => {
    const value = entryOf(request as Record<string, unknown>, name)
    if (!isList) return value
    // As JSONata has it, a list in brackets is the list.
    const items = [value].flat()
    return items.some(Boolean) ? items : undefined
  }
}
