/** Requests made from an operation's schemas: valid, at a boundary, mutated, or hostile; sent, and printed as curl. */
import fc from 'fast-check'
import { generate, type JsonSchema } from 'json-schema-faker'
import type { Dispatcher } from 'undici'
import type { FuzzResponse, Operation, Parameter, Schema } from './operations.ts'
import { hostileText, hostileValue, pick } from './random.ts'

/** Values that exist in the run, by the name of the field or parameter that takes them. */
export type Known = Record<string, readonly unknown[]>
export type FuzzRequest = {
  operation: Operation
  target: string
  headers: Record<string, string>
  body: string | Uint8Array | null
  /** A hostile path may lead to another route. */
  isOtherRoute: boolean
}

type Kind = 'valid' | 'boundary' | 'mutated' | 'hostile'
const kinds = fc.constantFrom<Kind>('valid', 'valid', 'boundary', 'boundary', 'mutated', 'mutated', 'hostile')
const chance = (oneIn: number) => fc.integer({ min: 1, max: oneIn }).map((n) => n === 1)

/** The `n`th request of a run. */
export async function makeRequest(operation: Operation, seed: number, n: number, known: Known): Promise<FuzzRequest> {
  let step = 0
  const random = <T>(arbitrary: fc.Arbitrary<T>): T => pick(arbitrary, seed, n * 64 + step++)
  const valueFor = async (name: string, schema: Schema, kind: Kind): Promise<unknown> => {
    if (kind === 'hostile') return random(hostileValue)
    if (kind === 'boundary') return random(boundaryOf(schema))
    const exists = known[name]
    if (exists && exists.length > 0 && !random(chance(5))) return random(fc.constantFrom(...exists))
    return await fake(schema, random(fc.nat()))
  }

  let target = operation.path
  let isOtherRoute = false
  const query: string[] = []
  const headers: Record<string, string> = {}
  for (const parameter of operation.parameters) {
    const kind = random(kinds)
    if (!parameter.required && parameter.in !== 'path' && random(chance(2))) continue
    const text = textOf(await valueFor(parameter.name, parameter.schema, kind))
    if (parameter.in === 'path') {
      const isRaw = kind === 'hostile' && random(chance(2))
      const segment = isRaw ? rawSegment(random(hostileText)) : encode(text)
      isOtherRoute ||= isRaw || segment === ''
      target = target.replace(`{${parameter.name}}`, () => segment)
    } else if (parameter.in === 'query') query.push(...queryOf(parameter, text, random))
    else headers[parameter.name] = headerText(text)
  }
  if (random(chance(12))) query.push(`${encode(random(hostileText))}=${encode(random(hostileText))}`)
  if (query.length > 0) target += `?${query.join('&')}`
  if (random(chance(8))) Object.assign(headers, random(oddHeaders))
  const body = await bodyOf(operation, random, valueFor, headers)
  return { operation, target, headers, body, isOtherRoute }
}

type Random = <T>(arbitrary: fc.Arbitrary<T>) => T

function queryOf({ name }: Parameter, text: string, random: Random): string[] {
  const one = `${name}=${encode(text)}`
  return random(
    fc.constantFrom([one], [one], [one], [one], [one, one], [`${name}[]=${encode(text)}`], [name], [`${name}=%`]),
  )
}

async function bodyOf(
  operation: Operation,
  random: Random,
  valueFor: (name: string, schema: Schema, kind: Kind) => Promise<unknown>,
  headers: Record<string, string>,
): Promise<FuzzRequest['body']> {
  if (operation.id === 'uploadImage' || operation.id === 'uploadAsset') {
    headers['content-type'] ??= random(
      fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'text/plain'),
    )
    return random(fc.uint8Array({ maxLength: 300 }))
  }
  if (operation.method === 'GET') return null
  const kind = random(kinds)
  headers['content-type'] ??= 'application/json'
  if (kind === 'hostile' && random(chance(3))) return random(brokenJson)
  if (!operation.body)
    return operation.id === 'receiveCallback' || random(chance(6)) ? json(random(hostileValue)) : null
  if (kind === 'hostile') return json(random(hostileValue))

  const { anyOf } = operation.body.schema
  const schema = anyOf ? random(fc.constantFrom(...anyOf)) : operation.body.schema
  const [example = operation.body.example] = schema.examples ?? []
  const body = { ...(random(chance(3)) ? await generated(schema, random) : (example as Record<string, unknown>)) }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (name in body && random(chance(2))) body[name] = await valueFor(name, property, 'valid')
    else if (!(name in body) && random(chance(4))) body[name] = await valueFor(name, property, 'valid')
  }
  const names = [...Object.keys(schema.properties ?? {}), 'extra']
  const name = random(fc.constantFrom(...names))
  if (kind === 'boundary') body[name] = await valueFor(name, schema.properties?.[name] ?? {}, 'boundary')
  if (kind === 'mutated') {
    if (random(chance(4))) delete body[name]
    else body[name] = random(hostileValue)
  }
  if (random(chance(4))) body[random(fc.constantFrom(...names))] = null
  if (random(chance(8))) body[random(hostileText)] = random(hostileValue)
  return random(chance(8)) ? withFieldTwice(body, name, random(hostileValue)) : json(body)
}

/** JSON in which the field stands twice, first with another value. */
const withFieldTwice = (body: Record<string, unknown>, name: string, value: unknown): string =>
  `${json({ ...body, [name]: value }).slice(0, -1)},${json(name)}:${json(body[name] ?? 1)}}`

async function generated(schema: Schema, random: Random): Promise<Record<string, unknown>> {
  const value = await fake(schema, random(fc.nat()))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A valid value; null for the few schemas that json-schema-faker cannot satisfy (`anyOf` over required fields). */
const fake = (schema: Schema, seed: number): Promise<unknown> =>
  generate(schema as JsonSchema, { seed }).catch(() => null)

/** Values at, just within and just beyond each limit of a schema. */
function boundaryOf(schema: Schema): fc.Arbitrary<unknown> {
  const values: unknown[] = []
  for (const limit of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
    const number = schema[limit]
    if (typeof number === 'number') values.push(number - 1, number, number + 1, number + 0.5)
  }
  for (const limit of ['minLength', 'maxLength']) {
    const length = schema[limit]
    if (typeof length === 'number')
      for (const by of [-1, 0, 1])
        values.push('x'.repeat(Math.max(0, length + by)), '🎬'.repeat(Math.max(0, length + by)))
  }
  const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (Array.isArray(choices))
    for (const choice of choices) values.push(choice, `${choice} `, String(choice).toLowerCase())
  const types = [schema.type].flat()
  if (types.includes('null')) values.push(null)
  if (types.includes('integer') || types.includes('number'))
    values.push(0, -1, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 0.1, '1')
  if (types.includes('string')) values.push('', ' ', 'x', 'x'.repeat(5000), 1)
  if (types.includes('boolean')) values.push(true, false, 'true', 0)
  return values.length > 0 ? fc.constantFrom(...values) : hostileValue
}

const brokenJson = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[',
    '"',
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    '\ufeff{}',
    '{"a":1}{"a":2}',
    'null',
    '[]',
    '1e999',
    '{"a":1e999}',
  ),
  fc.constantFrom(
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"a":1,"a":2}',
    '"\\ud800"',
    '{"\\u0000":1}',
  ),
  fc.constantFrom(`${'['.repeat(5000)}${']'.repeat(5000)}`, `{"prompt":"${'x'.repeat(70_000)}"}`),
  fc.uint8Array({ maxLength: 40 }),
)

const oddHeaders = fc.constantFrom<Record<string, string>>(
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/JSON;;' },
  { cookie: 'a' },
  { cookie: '=; ;;=;better-auth.session_token' },
  { cookie: 'better-auth.session_token=x.y; __Secure-better-auth.session_token=%; __proto__=1' },
  { cookie: `better-auth.session_token=${'x'.repeat(4000)}` },
  { cookie: `a=${'%00'.repeat(100)}; better-auth.session_data=e30` },
  { 'x-forwarded-for': '::1, 999.1.1.1, <script>' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
  { 'x-request-id': '"><script>' },
  { 'x-http-method-override': 'DELETE' },
  { accept: '*/*;q=x' },
  { 'accept-encoding': 'br;q=0, *;q=0' },
  { range: 'bytes=9-1' },
  { 'if-none-match': '*' },
  { origin: 'null' },
  { origin: 'http://[' },
  { 'user-agent': 'x'.repeat(5000) },
  { 'idempotency-key': 'k'.repeat(300) },
)

/** undici takes printable ASCII in a path; every other character is as a hostile client would encode it. */
const rawSegment = (text: string): string =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^!-~]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
const headerText = (text: string): string =>
  text
    .replace(/[^\t -~\x80-\xff]/g, '?')
    .trim()
    .slice(0, 6000)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** Reads at most a megabyte: an event stream does not end. */
export async function sendRequest(dispatcher: Dispatcher, request: FuzzRequest): Promise<FuzzResponse> {
  const response = await dispatcher.request({
    method: request.operation.method as Dispatcher.HttpMethod,
    path: request.target,
    headers: request.headers,
    body: request.body,
  })
  const contentType = String(response.headers['content-type'] ?? '')
  response.body.on('error', () => undefined)
  if (!contentType.startsWith('application/json')) {
    response.body.destroy()
    return { status: response.statusCode, contentType, text: '' }
  }
  return { status: response.statusCode, contentType, text: await response.body.text() }
}

export function asCurl(url: string, { operation, target, headers, body }: FuzzRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const parts = [`curl -i --path-as-is -X ${operation.method} ${quoted(url + target)}`]
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (typeof body === 'string') parts.push(`--data-binary ${quoted(body)}`)
  else if (body) return `echo ${Buffer.from(body).toString('base64')} | base64 -d | ${parts.join(' ')} --data-binary @-`
  return parts.join(' ')
}
