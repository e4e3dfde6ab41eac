// slow
/** Odd bodies and queries to every operation of `/api/auth`: never 5xx, always as openapi.json describes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { authOperations } from '../../server/src/http/sign-in/auth-operations.ts'
import { type Headers_, openAuthCalls, PASSWORD } from '../../server/test/support/auth-calls.ts'

const { kinora, call, signUp, openAdministrator } = await openAuthCalls()
const RUNS = 12

type Schema = {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** Values that other services failed on. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, '', ' ', '0', 'null', -1, 0, 1.5, 1e21, 1e300, -1e-300, 2 ** 53, [], {}, [[]], [null], { id: 'x' }],
    ...[
      '\0',
      'a\0b',
      '\ud800',
      '%00',
      '../..',
      "' or 1=1 --",
      '{"a":1}',
      '__proto__',
      'x'.repeat(5000),
      '\u202e',
      'İ',
      '💥',
    ],
    ...[
      { __proto__: null, constructor: 1 },
      { toString: 'x' },
      { length: 1e9 },
      { $ne: null },
      ['admin'],
      { length: -1 },
    ],
    ...[
      '2026-02-30',
      '9999-99-99T99:99:99Z',
      'sha256:x',
      'kin_x',
      'a@b',
      `${'a'.repeat(300)}@b.c`,
      'http://[',
      'javascript:1',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A value that the schema allows, as far as this needs it. */
function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid))
  if (schema.properties) {
    return fc.record(Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, valid(each)])))
  }
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') return fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 1)
  if (schema.type === 'array') return fc.constantFrom([], ['ban'])
  if (schema.type === 'null') return fc.constant(null)
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'email') return fc.constantFrom('fuzz@example.com', 'FUZZ@EXAMPLE.COM')
  if (schema.format === 'uri') return fc.constant('https://example.com/a.png')
  return fc.constantFrom('x'.repeat(schema.minLength ?? 1), 'x'.repeat(schema.maxLength ?? 20), PASSWORD)
}

/** A body with valid fields of which some are replaced, left out or added, or a body of another kind. */
const bodies = (schema: Schema | undefined): fc.Arbitrary<unknown> => {
  const fields = Object.entries(schema?.properties ?? {})
  const mixed = fc.record(
    Object.fromEntries(fields.map(([name, each]) => [name, fc.oneof({ weight: 2, arbitrary: valid(each) }, odd)])),
    { requiredKeys: [] },
  )
  const more = fc.dictionary(
    fc.constantFrom(
      'role',
      'id',
      'userId',
      'callbackURL',
      'configId',
      'metadata',
      'permissions',
      'banned',
      '__proto__',
      'data',
    ),
    odd,
    { maxKeys: 2 },
  )
  return fc.oneof(
    { weight: 6, arbitrary: mixed },
    { weight: 2, arbitrary: fc.tuple(mixed, more).map(([own, others]) => ({ ...own, ...others })) },
    { weight: 1, arbitrary: odd },
  )
}

const queries = (names: string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names, 'configId', 'organizationId', 'disableCookieCache', '__proto__'), odd), {
      maxLength: 4,
    })
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&')}`)

/** Lone surrogates and `%00` stay in the query as they are, where a URL allows it. */
const encode = (value: unknown): string => {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value)}`
  return /^%00/.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

const ends = ['signOut', 'revokeSessions', 'revokeOtherSessions', 'stopImpersonating']
for (const { operationId, method, body, query } of authOperations) {
  test(`4xx: ${operationId} with odd values, as anonymous, user and administrator → never 5xx, always as documented`, async () => {
    const callers: Headers_[] = [{}, (await signUp()).headers, (await openAdministrator()).headers]
    const values = fc.tuple(
      method === 'post' ? bodies(body as Schema | undefined) : fc.constant(undefined),
      query ? queries(Object.keys(query)) : fc.constantFrom('', '?limit=x&sortBy=%00'),
      fc.constantFrom(...callers),
    )
    await fc.assert(
      fc.asyncProperty(values, async ([sent, search, headers]) => {
        // A body that was accepted although the documented schema refuses it is a fault too, found by `call`.
        const { status, text } = await call(operationId, sent, headers, search)
        assert.ok(status < 500, text)
      }),
      { numRuns: ends.includes(operationId) ? 6 : RUNS },
    )
  })
}

function assertEnvelope(text: string, path: string): void {
  const { success, data, error } = JSON.parse(text)
  assert.deepEqual([success, data, Object.values(error ?? {}).includes('')], [false, {}, false], `${path}: ${text}`)
  assert.deepEqual(
    ['code', 'message', 'requestId'].map((name) => typeof error[name]),
    ['string', 'string', 'string'],
    path,
  )
}

test('4xx: bodies that are no JSON, of another type, or broken off → the envelope', async () => {
  let { headers } = await signUp()
  const json = { 'content-type': 'application/json' }
  for (const { path, method, body } of authOperations) {
    if (method !== 'post') continue
    for (const [sent, type, statuses] of [
      ['{', json, [400]],
      ['{"a":', { 'content-type': 'application/json; charset=utf-8' }, [400]],
      ['nul', json, [400]],
      ['"x"', json, body ? [400] : [200, 400, 401, 403]],
      // Deeper than a recursive function can follow.
      [`${'['.repeat(8000)}${']'.repeat(8000)}`, json, body ? [400] : [200, 400, 401, 403]],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, [415]],
      ['{}', { 'content-type': 'text/plain' }, [415]],
      ['{}', { 'content-type': 'application/jsonx' }, [415]],
      ['--x--', { 'content-type': 'multipart/form-data; boundary=x' }, [415]],
    ] as const) {
      const response = await kinora.call('POST', path, { headers: { ...headers, ...type }, body: sent })
      assert.ok(
        (statuses as readonly number[]).includes(response.status),
        `${path} ${sent.slice(0, 20)}: ${response.status} ${response.text}`,
      )
      if (response.status !== 200) assertEnvelope(response.text, path)
    }
    if (/sign-out|revoke-sessions/.test(path)) headers = (await signUp()).headers
  }
})

test('4xx: invalid headers, credentials and paths → the envelope', async () => {
  const cases: [path: string, headers: Headers_][] = [
    ['/api/auth/%', {}],
    ['/api/auth/%zz/x?y', {}],
    ['/api/auth/', {}],
    ['/api/auth/admin', {}],
    ['/api/auth/list-sessions', { authorization: 'Bearer' }],
    ['/api/auth/list-sessions', { authorization: `Bearer ${'a'.repeat(4000)}` }],
    ['/api/auth/list-sessions', { authorization: 'Bearer a.b.c' }],
    ['/api/auth/list-sessions', { authorization: 'Bearer %E0%A4%A' }],
    ['/api/auth/list-sessions', { cookie: 'kinora.session_token=%E0%A4%A; kinora.session_data=x' }],
    ['/api/auth/list-sessions', { cookie: 'kinora.session_token' }],
    ['/api/auth/api-key/list?limit=1&limit=2', {}],
    ['/api/auth/api-key/list?sortBy=nothing', {}],
    ['/api/auth/api-key/list?sortBy=createdAt%00', {}],
    ['/api/auth/api-key/list?limit=1e9', {}],
    ['/api/auth/api-key/list?limit=0x10', {}],
    ['/api/auth/api-key/list?limit=1e1', {}],
    ['/api/auth/api-key/list?limit=-1', {}],
    ['/api/auth/api-key/list?offset=99999999999999999999', {}],
  ]
  const { headers: own } = await signUp()
  for (const [path, headers] of cases) {
    const response = await fetch(kinora.url + path, { headers: path.includes('api-key') ? own : headers })
    const text = await response.text()
    assert.ok(response.status >= 400 && response.status < 500, `${path}: ${response.status} ${text}`)
    assertEnvelope(text, path)
  }
})
