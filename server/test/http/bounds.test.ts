/**
 * Every bound in the schemas of requests, from both documents: the value at the bound is not refused because of it, and
 * the next one is, with an error that names the field.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/id.ts'
import { openKinora } from '../support/harness.ts'
import { servedDocument } from '../support/served-document.ts'
import { addMember } from '../support/teams.ts'

const kinora = await openKinora({ env: { EXPLORE: 'on', MAX_IN_PROGRESS: '0' } })
const served = await servedDocument(kinora)
const operations = withoutNull(served.operations)
const DAY_S = 86_400

type Schema = {
  type?: string
  enum?: unknown[]
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  anyOf?: Schema[]
}
/** `path`: of the field. Of a key it is that of the map. `limit`: null for a pattern. */
type Bound = { path: string[]; rule: string; limit: number | null; allowed: unknown[]; refused: unknown[] }
type Values = Pick<Bound, 'allowed' | 'refused'>

const words = (length: number) => 'w'.repeat(length)
const lengths = (allowed: number[], refused: number[]): Values => ({
  allowed: allowed.map(words),
  refused: refused.map(words),
})
const hex = (length: number) => 'f'.repeat(length)
const uuid = '01939b1e-1111-7aaa-8bbb-000000000001'
const groups = ['day', 'model', 'account', 'route', 'user']

/** The shortest and the longest text of each pattern, and those beyond. */
const PATTERNS: Record<string, Values> = {
  '^[^\\u0000]*$': { allowed: ['\u0001'], refused: ['a\0'] },
  '\\S': { allowed: ['x'], refused: ['', ' '] },
  '^[0-9a-fA-F]{64}$': { allowed: [hex(64)], refused: [hex(63), hex(65)] },
  '^[\\w-]{43}$': lengths([43], [42, 44]),
  '^[\\w-]{43}([\\w-]{43})?$': lengths([43, 86], [42, 44, 85, 87]),
  '^[^\\s,]([^,]*[^\\s,])?$': { allowed: ['a', 'a b'], refused: ['', ' a', 'a ', 'a,b'] },
  '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$': lengths([1, 64], [0, 65]),
  '^(plans\\.json|templates\\.json|models/[a-z0-9][a-z0-9.-]{0,79}\\.json)$': {
    allowed: ['plans.json', `models/${'a'.repeat(80)}.json`],
    refused: ['', 'accounts.json', 'models/.json', `models/${'a'.repeat(81)}.json`],
  },
  '^[a-z0-9]{1,40}$': lengths([1, 40], [0, 41]),
  '^[a-z][a-z0-9-]{0,39}$': lengths([1, 40], [0, 41]),
  '^@?[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,39}$': lengths([1, 40], [0, 41]),
  '^/(?![/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$': { allowed: ['/'], refused: ['', '//'] },
  '^(?:none|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$': {
    allowed: ['none', uuid],
    refused: ['', uuid.slice(1), `${uuid}0`],
  },
  [`^(${groups.join('|')})(,(${groups.join('|')})){0,4}$`]: {
    allowed: ['day', groups.join(',')],
    refused: ['', [...groups, 'day'].join(',')],
  },
}

/** Operations under /api/v1/team that are about the caller, and so refuse X-Team. */
const ABOUT_CALLER = ['createTeam', 'openTeamInvitation', 'acceptTeamInvitation']
/** What else is said of a field whose value is within its bounds. */
const OTHERWISE_REFUSED: Record<string, RegExp> = {
  password: /^is not your password$/,
  provider: /^This way to sign in is not set up\.$/,
  referenceImageUrls: /^Delta 1\.5 makes films by text-to-video, image-to-video;/,
}

/** A copy in which a field of a body that may be null has its one other type: null-fields.test.ts has null. */
function withoutNull<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(withoutNull) as T
  const { anyOf, type, ...rest } = node as { anyOf?: Schema[]; type?: string | string[] }
  const others = Array.isArray(anyOf) ? anyOf.filter((each) => each.type !== 'null') : []
  const [only] = others
  const types = [type ?? []].flat().filter((each) => each !== 'null')
  const beside = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withoutNull(value)]))
  return {
    ...(only && others.length === 1 ? withoutNull(only) : anyOf && { anyOf: withoutNull(others) }),
    ...(type !== undefined && { type: types.length === 1 ? types[0] : type }),
    ...beside,
  } as T
}

/** Texts of `length` characters that the schema allows but for their length. A character is a code point. */
function textsOf({ format, pattern }: Schema, length: number, name = ''): string[] {
  const between = (before: string, after = '') => [before + 'a'.repeat(length - before.length - after.length) + after]
  if (format === 'email') return between('', '@example.com')
  if (format === 'uri') return between('https://example.com/')
  if (pattern?.startsWith('^/')) return between('/')
  // A code has 40 letters and digits at most, and hyphens beside them.
  if (name === 'code' && length >= 60) return ['A'.repeat(40).padEnd(length, '-')]
  // 1000 of them have 4 kB; the address of a request has 16 kB, and what is longer is a token.
  return ['a'.repeat(length), ...(length <= 1000 ? ['\u{1f6a2}'.repeat(length)] : [])]
}

/** The `n`th value of a schema. */
function exampleOf(schema: Schema, n = 0): unknown {
  const { enum: choices, examples, anyOf, format, type, minimum, minItems = 0, minLength = 1 } = schema
  if (choices) return choices[n % choices.length]
  if (examples && n === 0) return examples[0]
  if (anyOf) return exampleOf(anyOf[0] ?? {}, n)
  if (format === 'uuid') return newId(new Date())
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return listOf(schema, minItems)
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]))
  }
  return textsOf(schema, minLength)[0]
}

const listOf = ({ items = {} }: Schema, length: number): unknown[] =>
  Array.from({ length }, (_, n) => exampleOf(items, n))
const mapOf = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, n) => [`key ${n}`, 'x']))

function boundsOf(schema: Schema, path: string[]): Bound[] {
  const { properties = {}, additionalProperties, propertyNames, anyOf = [], items, pattern } = schema
  const numbered = (['minimum', 'maximum'] as const).map((rule) => ({ rule, valuesOf: (n: number) => [n] }))
  const sized = [
    ...(['minLength', 'maxLength'] as const).map((rule) => ({
      rule,
      valuesOf: (n: number) => textsOf(schema, n, path.at(-1)),
    })),
    ...(['minItems', 'maxItems'] as const).map((rule) => ({ rule, valuesOf: (n: number) => [listOf(schema, n)] })),
    { rule: 'maxProperties' as const, valuesOf: (n: number) => [mapOf(n)] },
  ].filter(({ rule }) => schema[rule] !== 0)
  const own = [...numbered, ...sized].flatMap(({ rule, valuesOf }): Bound[] => {
    const limit = schema[rule]
    if (limit === undefined) return []
    const next = rule.startsWith('min') ? limit - 1 : limit + 1
    return [{ path, rule, limit, allowed: valuesOf(limit), refused: valuesOf(next) }]
  })
  if (pattern !== undefined) {
    const values = PATTERNS[pattern] ?? assert.fail(`${path.join('.')}: PATTERNS has no values of ${pattern}`)
    own.push({ path, rule: 'pattern', limit: null, ...values })
  }
  const keyed = (keys: unknown[]) => keys.map((key) => ({ [String(key)]: 'x' }))
  const ofKeys = propertyNames ? boundsOf(propertyNames, path) : []
  return [
    ...own,
    ...ofKeys.map((bound) => ({ ...bound, allowed: keyed(bound.allowed), refused: keyed(bound.refused) })),
    ...Object.entries(properties).flatMap(([name, each]) => boundsOf(each, [...path, name])),
    ...(typeof additionalProperties === 'object' ? boundsOf(additionalProperties, [...path, 'key']) : []),
    ...(items ? boundsOf(items, [...path, '0']) : []),
    ...anyOf.flatMap((each) => boundsOf(each, path)),
  ]
}

/** A copy of `whole` with the value at the path, and with what the schema requires beside it. */
function withValue(whole: unknown, schema: Schema, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  const inside = schema.anyOf?.find(({ type }) => type === 'object') ?? schema
  if (inside.type === 'array') return [withValue(undefined, inside.items ?? {}, rest, value)]
  const own = (whole ?? exampleOf(inside)) as Record<string, unknown>
  const part = inside.properties?.[name] ?? (inside.additionalProperties as Schema)
  return { ...own, [name]: withValue(own[name], part, rest, value) }
}

/** The example with an address that is new and with ids that exist, and without a password, which nobody here has. */
function bodyFrom(example: unknown, { properties = {}, required = [] }: Schema, ids: Record<string, string>): object {
  const known: Record<string, unknown> = { ...ids, email: `${newId(new Date())}@example.com` }
  const isLeftOut = (name: string) => ['password', 'code'].includes(name) && !required.includes(name)
  const values = Object.entries(example as object).filter(([name]) => !isLeftOut(name))
  const own = Object.entries(known).filter(([name]) => name in properties)
  return Object.fromEntries([...values, ...own])
}

function queryOf([name = '', key]: string[], value: unknown): string {
  const pair = (at: string, each: unknown) => `${at}=${encodeURIComponent(String(each))}`
  if (key) return pair(`${name}[${key}]`, value)
  if (Array.isArray(value)) return value.map((each) => pair(name, each)).join('&')
  if (typeof value !== 'object' || value === null) return pair(name, value)
  return Object.entries(value)
    .map(([each, text]) => pair(`${name}[${encodeURIComponent(each)}]`, text))
    .join('&')
}

type Refusal = { code: string; message: string; details?: unknown }
type Response_ = { status: number; error: Refusal | null }
type Case = { bound: Bound; request: (value: unknown) => Promise<Response_> }

/** An administrator who owns a team with another user, and the ids of what is in the address of an operation. */
async function openCallers(id: string, path: string) {
  const [admin, other] = [await kinora.person({ role: 'admin', credits: 10_000 }), await kinora.person({ credits: 0 })]
  const made = async (target: string, body: object): Promise<{ id: string; key: string }> => {
    const { data, text, status } = await kinora.call<{ id: string }>('POST', target, { as: admin, body })
    assert.equal(status, 200, text)
    return { ...JSON.parse(text), ...data }
  }
  const team = await made('/api/v1/team', { name: 'North' })
  await addMember(kinora.app, team.id, other)
  const isOfTeam = /^\/api\/v1\/team(\/|$)/.test(path) && !ABOUT_CALLER.includes(id)
  const headers: Record<string, string> = isOfTeam ? { 'x-team': team.id } : {}
  if (path.startsWith('/api/v1/key/'))
    headers['x-api-key'] = (await made('/api/auth/api-key/create', { name: 'a' })).key
  const idInPath: [part: string, open: () => Promise<string>][] = [
    ['/project/{id}', async () => (await made('/api/v1/project', { name: 'Boats' })).id],
    ['/folders/{id}', async () => (await made('/api/v1/video/folders', { name: 'Boats' })).id],
    ['/endpoints/{id}', async () => (await made('/api/v1/webhook/endpoints', { url: 'https://hooks.example/' })).id],
    ['/teams/{id}', async () => team.id],
    ['/api-key/', async () => (await made('/api/auth/api-key/create', { name: 'a' })).id],
  ]
  const found = await idInPath.find(([part]) => path.includes(part))?.[1]()
  const ids: Record<string, string> = { id: found ?? other.userId, userId: other.userId, keyId: found ?? uuid }
  return { admin, ids, headers, address: path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? uuid) }
}

/** Each bound of an operation, with the request that has a value there. */
async function casesOf({ id, method, path, operation }: (typeof operations)[number]): Promise<Case[]> {
  const json = operation.requestBody?.content?.['application/json']
  const whole = (json?.schema ?? {}) as Schema
  const bodies = (whole.anyOf ?? [whole]).map((schema) => ({ schema, bounds: boundsOf(schema, []) }))
  const parameters = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header')
  const ofParameters = parameters.flatMap(({ in: place, name, schema = {} }) =>
    boundsOf(schema, [name]).map((bound) => ({ place, name, bound })),
  )
  if (ofParameters.length + bodies.flatMap(({ bounds }) => bounds).length === 0) return []
  const { admin, ids, headers, address } = await openCallers(id, path)
  const bodyOf = (schema: Schema) => json && bodyFrom(schema.examples?.[0] ?? json.example, schema, ids)
  const send = async (target: string, body: unknown): Promise<Response_> => {
    const response = await fetch(kinora.url + target, {
      method: method.toUpperCase(),
      headers: {
        ...(headers['x-api-key'] ? {} : { authorization: `Bearer ${admin.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // A stream of events has no end.
    if (response.status < 400) await response.body?.cancel()
    const answer = response.status < 400 ? null : ((await response.json()) as Refusal & { error?: Refusal })
    return { status: response.status, error: answer && (answer.error ?? answer) }
  }
  return [
    ...bodies.flatMap(({ schema, bounds }) =>
      bounds.map((bound) => ({
        bound,
        request: (value: unknown) => send(address, withValue(bodyOf(schema), schema, bound.path, value)),
      })),
    ),
    ...ofParameters.map(({ place, name, bound }) => ({
      bound,
      request: (value: unknown) =>
        place === 'path'
          ? send(path.replace(`{${name}}`, encodeURIComponent(String(value))), bodyOf(whole))
          : send(`${address}?${queryOf(bound.path, value)}`, bodyOf(whole)),
    })),
  ]
}

type Details = { path: string; message: string }[]
const detailsOf = ({ error }: Response_, field: string) =>
  ((Array.isArray(error?.details) ? error.details : []) as Details).filter(({ path }) => path === field)

/** What is wrong with the refusal of a value beyond a bound; null: nothing. */
function refusalProblem({ path, limit }: Bound, response: Response_, hasDetails: boolean): string | null {
  const field = path.join('.')
  if (response.status !== 400) return 'is accepted, or refused for another reason'
  const { code = '', message = '' } = response.error ?? {}
  const said = hasDetails ? detailsOf(response, field).map((each) => each.message) : [message]
  if (said.length === 0) return 'is refused by an error whose details do not name it'
  if (hasDetails && code !== 'INVALID_REQUEST') return `has the code ${code}`
  // Another code than this one tells the field.
  if (!hasDetails && code === 'INVALID_REQUEST' && !message.includes(field))
    return 'is refused by an error that does not name it'
  const numbers = said.flatMap((each) => each.replace(field, '').match(/\d+/g) ?? [])
  const isStated = limit === null || [limit, limit / DAY_S].some((each) => numbers.includes(String(Math.abs(each))))
  return numbers.length === 0 || isStated ? null : `is refused by an error that names another limit than ${limit}`
}

/** What is wrong with the response to the value at a bound, beside that to the next one; null: nothing. */
function acceptanceProblem({ path }: Bound, response: Response_, refusal: Response_, hasDetails: boolean) {
  const field = path.join('.')
  if (response.status >= 500) return 'fails'
  const { code = '', message = '' } = response.error ?? {}
  const isSame = code === refusal.error?.code && message === refusal.error?.message
  if (!hasDetails) return isSame && !OTHERWISE_REFUSED[field]?.test(message) ? 'is refused like the next one' : null
  const others = detailsOf(response, field).filter(({ message }) => !OTHERWISE_REFUSED[field]?.test(message))
  return others.length === 0 ? null : 'is refused'
}

for (const [kind, prefix] of [
  ['the API', '/api/v1/'],
  ['sign-in', '/api/auth/'],
] as const) {
  test(`bounds of ${kind}: the value at each one, and the next one → only that is refused, and its field is named`, async () => {
    const problems: string[] = []
    let bounds = 0
    for (const operation of operations.filter(({ path }) => path.startsWith(prefix))) {
      const hasDetails = kind === 'the API'
      const refusals = new Map<Case, Response_>()
      const note = ({ bound }: Case, value: unknown, problem: string | null, { status, error }: Response_) => {
        const shown = JSON.stringify(value).slice(0, 60)
        const at = `${operation.id} ${bound.path.join('.')} ${bound.rule} ${bound.limit ?? ''}`
        if (problem) problems.push(`${at}: ${shown} ${problem}: ${status} ${JSON.stringify(error)}`)
      }
      const cases = await casesOf(operation)
      bounds += cases.length
      // First what is refused, because what is accepted may delete the caller or its team.
      for (const each of cases)
        for (const value of each.bound.refused) {
          const response = await each.request(value)
          note(each, value, refusalProblem(each.bound, response, hasDetails), response)
          refusals.set(each, response)
        }
      for (const each of cases)
        for (const value of each.bound.allowed) {
          const response = await each.request(value)
          const refusal = refusals.get(each) ?? assert.fail()
          note(each, value, acceptanceProblem(each.bound, response, refusal, hasDetails), response)
        }
    }
    assert.deepEqual(problems, [])
    assert.ok(bounds > 90, `${bounds} bounds`)
  })
}
