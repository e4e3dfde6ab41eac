/**
 * The body of a vendor's request as data: each field is a JSONata expression over the checked request. An expression that is a name
 * alone, as most are, or a list of one is looked up without JSONata, which is loaded with the first one that is more than that: it takes
 * 0.1 s of CPU time.
 */
import { entryOf } from '../text/json-reader.ts'

/** The fields of a body: expressions, or objects of them. */
export type Mapping = { [field: string]: string | Mapping }

type Evaluate = (request: object) => unknown | Promise<unknown>

/**
 * The body for a request. A field whose value is undefined is left out, and an object without fields too.
 * @param request what a user has asked for, without what is absent
 */
export async function mapRequest(mapping: Mapping, request: object): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(mapping)) {
    const mapped = typeof value === 'string' ? evaluate(value, request) : mapRequest(value, request).then(nonEmpty)
    // An await for each field would take more time than all else.
    const found = mapped instanceof Promise ? await mapped : mapped
    if (found !== undefined) body[field] = found
  }
  return body
}

/**
 * @param request that each expression is tried with; undefined: none is evaluated
 * @returns where a field is wrong, by its path, and why
 */
export async function problemsOfMapping(
  mapping: object,
  request?: object,
  path: string[] = [],
): Promise<{ path: string[]; text: string }[]> {
  const problems = Object.entries(mapping).map(async ([field, value]: [string, unknown]) => {
    const at = [...path, field]
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return problemsOfMapping(value, request, at)
    if (typeof value !== 'string')
      return [{ path: at, text: `must be an expression in quotes, such as "${JSON.stringify(value)}"` }]
    try {
      const evaluated = await compiled(value)
      if (request) await evaluated(request)
      return []
    } catch (error) {
      const { message } = error as Error
      const isTried = expressions.has(value)
      return [{ path: at, text: isTried ? `fails for a film: ${message}` : `is no JSONata expression: ${message}` }]
    }
  })
  return (await Promise.all(problems)).flat()
}

/** The catalogue names them, so that they are few. */
const expressions = new Map<string, Evaluate>()

const evaluate = (text: string, request: object): unknown => {
  const known = expressions.get(text)
  return known ? known(request) : compiled(text).then((found) => found(request))
}

async function compiled(text: string): Promise<Evaluate> {
  const known = expressions.get(text) ?? lookUp(text) ?? (await compile(text))
  expressions.set(text, known)
  return known
}

const NAME = /^(?!(true|false|null|and|or|in)\b)([A-Za-z_]\w*)( \? \[\2\])?$/
/** Null: the expression is neither a name nor `name ? [name]`, a list of one where there is something. */
function lookUp(text: string): Evaluate | null {
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

/** Of an expression: milliseconds, depth of calls, and items of a list. One that exceeds them throws. */
const LIMITS = { timeout: 1000, stack: 200, sequence: 10_000 }

/** @throws Error when the text is no expression */
async function compile(text: string): Promise<Evaluate> {
  const { default: jsonata } = await import('jsonata')
  const expression = jsonata(text, LIMITS)
  return (request) => expression.evaluate(request)
}

const nonEmpty = (body: Record<string, unknown>) => (Object.keys(body).length > 0 ? body : undefined)
