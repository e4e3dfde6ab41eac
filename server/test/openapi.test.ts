/**
 * openapi.json: current, valid, and what the running service does. One file, although it is long: it opens the service once, and
 * its list of operations has a line for each.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { clientTypesFile, describeClientTypes } from '../../client/generate.ts'
import { describeApi, EXAMPLE_SERVER, openApiFile } from '../openapi.ts'
import { examples } from '../src/http/examples.ts'
import { callbackUrl } from '../src/video/callback-reference.ts'
import { completeVideo } from './completed-video.ts'
import { generateBody, openKinora } from './harness.ts'
import { plain } from './images.ts'
import { deliverAll, paymentEnv, storedAs } from './payment-delivery.ts'
import { eventB, sessionB, startOfToday, subscriptionB } from './payment-events.ts'

const kinora = await openKinora({ simulator: true, env: paymentEnv })

type Content = { content?: Record<string, { schema?: object; example?: unknown }> }
/** The only response without an envelope. */
const STREAM = 'streamVideoEvents'
const ARCHIVE = 'exportAccount'
type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  security?: object[]
  parameters?: { in: string; name: string; required?: boolean; schema?: object }[]
  requestBody?: Content
  responses: Record<string, Content & { description?: string }>
}
type Document = {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

const served = JSON.parse((await kinora.call('GET', '/openapi.json')).text) as Document
const operations = Object.entries(served.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: operation.operationId ?? '' })),
)

/** The schemas of openapi.json, closed to additional properties, so that an undescribed field fails. */
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addSchema({ ...closed(served), $id: 'api' })

function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, each]) => [key, key === 'example' ? each : closed(each)])
  const copy = Object.fromEntries(entries)
  if (copy.type === 'object' && copy.properties) copy.additionalProperties ??= false
  return copy
}

const pointer = (...parts: string[]) =>
  `api#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`

function assertValid(value: unknown, where: string[], title: string): void {
  const validate = ajv.getSchema(pointer(...where))
  assert.ok(validate, `${title}: nothing is described at ${where.join(' ')}`)
  assert.ok(validate(value), `${title}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
}

const bodyAt = (path: string, method: string, ...rest: string[]) => [
  ...['paths', path, method],
  ...rest,
  ...['content', 'application/json', 'schema'],
]

test('openapi.json: the file in the repository → equals the served document (`npm run openapi` writes it)', async () => {
  const file = await readFile(openApiFile, 'utf8')
  assert.deepEqual(JSON.parse(file), { ...served, servers: [{ url: EXAMPLE_SERVER }] })
  assert.equal(file, await describeApi())
  assert.equal(served.openapi, '3.1.0')
})

test('client types: the file in the repository → generated from the current openapi.json (`npm run openapi` writes it)', async () => {
  const made = await describeClientTypes(await readFile(openApiFile, 'utf8'))
  assert.equal(await readFile(clientTypesFile, 'utf8'), made)
})

test('operations: each call of the specification → has an id, a summary, a tag, and examples of both bodies', () => {
  assert.deepEqual(operations.map(({ method, path }) => `${method} ${path}`).sort(), [
    'delete /api/v1/account',
    'delete /api/v1/admin/users/{id}',
    'delete /api/v1/video/{uuid}',
    'delete /api/v1/video/{uuid}/share',
    'delete /api/v1/webhook/endpoints/{id}',
    'get /api/auth/api-key/list',
    'get /api/auth/get-session',
    'get /api/auth/list-accounts',
    'get /api/auth/list-sessions',
    'get /api/auth/magic-link/verify',
    'get /api/auth/passkey/generate-authenticate-options',
    'get /api/auth/passkey/generate-register-options',
    'get /api/auth/passkey/list-user-passkeys',
    'get /api/auth/verify-email',
    'get /api/v1/account/export',
    'get /api/v1/account/notices',
    'get /api/v1/admin/audit',
    'get /api/v1/admin/ledger/check',
    'get /api/v1/admin/mails',
    'get /api/v1/admin/mails/{id}',
    'get /api/v1/admin/payments/events',
    'get /api/v1/admin/providers',
    'get /api/v1/admin/users',
    'get /api/v1/admin/users/{id}',
    'get /api/v1/admin/users/{id}/history',
    'get /api/v1/admin/videos',
    'get /api/v1/billing/subscription',
    'get /api/v1/config/models',
    'get /api/v1/config/plans',
    'get /api/v1/config/sign-in',
    'get /api/v1/credit/alert',
    'get /api/v1/credit/balance',
    'get /api/v1/credit/gift',
    'get /api/v1/credit/history',
    'get /api/v1/credit/packages',
    'get /api/v1/key',
    'get /api/v1/share/{token}',
    'get /api/v1/video/events',
    'get /api/v1/video/list',
    'get /api/v1/video/task',
    'get /api/v1/video/{uuid}',
    'get /api/v1/video/{uuid}/share',
    'get /api/v1/webhook/endpoints',
    'get /api/v1/webhook/endpoints/{id}',
    'get /api/v1/webhook/endpoints/{id}/deliveries',
    'get /api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}',
    'patch /api/v1/webhook/endpoints/{id}',
    'post /api/auth/admin/ban-user',
    'post /api/auth/admin/create-user',
    'post /api/auth/admin/has-permission',
    'post /api/auth/admin/impersonate-user',
    'post /api/auth/admin/list-user-sessions',
    'post /api/auth/admin/revoke-user-session',
    'post /api/auth/admin/revoke-user-sessions',
    'post /api/auth/admin/set-role',
    'post /api/auth/admin/set-user-password',
    'post /api/auth/admin/stop-impersonating',
    'post /api/auth/admin/unban-user',
    'post /api/auth/admin/update-user',
    'post /api/auth/api-key/create',
    'post /api/auth/api-key/delete',
    'post /api/auth/api-key/update',
    'post /api/auth/change-email',
    'post /api/auth/change-password',
    'post /api/auth/link-social',
    'post /api/auth/passkey/delete-passkey',
    'post /api/auth/passkey/verify-authentication',
    'post /api/auth/passkey/verify-registration',
    'post /api/auth/request-password-reset',
    'post /api/auth/reset-password',
    'post /api/auth/revoke-other-sessions',
    'post /api/auth/revoke-session',
    'post /api/auth/revoke-sessions',
    'post /api/auth/send-verification-email',
    'post /api/auth/sign-in/email',
    'post /api/auth/sign-in/magic-link',
    'post /api/auth/sign-in/social',
    'post /api/auth/sign-out',
    'post /api/auth/sign-up/email',
    'post /api/auth/two-factor/disable',
    'post /api/auth/two-factor/enable',
    'post /api/auth/two-factor/generate-backup-codes',
    'post /api/auth/two-factor/verify-backup-code',
    'post /api/auth/two-factor/verify-totp',
    'post /api/auth/unlink-account',
    'post /api/auth/update-user',
    'post /api/auth/verify-password',
    'post /api/v1/account/notices/unsubscribe',
    'post /api/v1/admin/credits/add',
    'post /api/v1/admin/credits/reverse-expiry',
    'post /api/v1/admin/credits/take',
    'post /api/v1/admin/ledger/check',
    'post /api/v1/admin/mails/{id}/retry',
    'post /api/v1/admin/payments/events/{id}/apply',
    'post /api/v1/admin/payments/events/{id}/dismiss',
    'post /api/v1/admin/users/{id}/verification',
    'post /api/v1/billing/checkout',
    'post /api/v1/billing/portal',
    'post /api/v1/credit/gift/seen',
    'post /api/v1/video/callback/{provider}',
    'post /api/v1/video/generate',
    'post /api/v1/video/image',
    'post /api/v1/video/quote',
    'post /api/v1/video/{uuid}/cancel',
    'post /api/v1/webhook/endpoints',
    'post /api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}/redeliver',
    'post /api/v1/webhook/endpoints/{id}/recover',
    'post /api/v1/webhook/endpoints/{id}/rotate',
    'post /api/v1/webhook/endpoints/{id}/test',
    'post /api/v1/webhook/secret',
    'put /api/v1/account/notices',
    'put /api/v1/credit/alert',
    'put /api/v1/video/{uuid}/share',
  ])
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
  for (const { id, operation } of operations) {
    assert.match(id, /^[a-z]\w+$/)
    assert.ok(operation.summary && operation.tags?.length === 1, id)
    const { requestBody, responses } = operation
    // A binary body has no JSON example.
    if (requestBody && id !== 'uploadImage') {
      assert.ok(requestBody.content?.['application/json']?.example, `${id}: an example to send`)
    }
    const type = id === STREAM ? 'text/event-stream' : 'application/json'
    assert.ok(id === ARCHIVE || responses['200']?.content?.[type]?.example, `${id}: an example of the response`)
    assert.ok(Object.values(responses).every(({ description }) => description && description !== 'Default Response'))
  }
})

test('schemas: every operation → compiles, its references and path parameters exist, its security is stated', () => {
  const text = JSON.stringify(served)
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    assert.ok(served.components.schemas[name], name)
  }
  assert.equal(text.match(/"\$ref"/g)?.length, text.match(/"\$ref":"#\/components\/schemas\//g)?.length)
  assert.doesNotMatch(text, /"\$id"/)
  for (const { id, path, method, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parameters = operation.parameters ?? []
    const described = parameters.filter((each) => each.in === 'path' && each.required).map(({ name }) => name)
    assert.deepEqual(described, inPath, id)
    assert.ok(parameters.every(({ schema, name }) => schema && ajv.validateSchema(schema) && name))
    for (const status of Object.keys(operation.responses)) {
      assert.match(status, /^[1-5]\d\d$/)
      if ((id === STREAM || id === ARCHIVE) && status === '200') continue
      assert.ok(ajv.getSchema(pointer(...bodyAt(path, method, 'responses', status))), `${id} ${status}`)
    }
    const schemes = (operation.security ?? []).flatMap((each) => Object.keys(each))
    assert.deepEqual(schemes.length > 0, operation.responses['401'] !== undefined && !withOwnCredential.has(id), id)
    for (const scheme of schemes) assert.ok(served.components.securitySchemes[scheme])
  }
})

test('examples: every operation → valid against its schemas', () => {
  const ids = operations.map(({ id }) => id).filter((id) => id !== ARCHIVE)
  assert.deepEqual(Object.keys(examples).sort(), ids.sort())
  for (const { id, path, method, operation } of operations.filter(({ id }) => id !== ARCHIVE)) {
    const { request, data } = examples[id] ?? {}
    if (operation.requestBody && id !== 'uploadImage') assertValid(request, bodyAt(path, method, 'requestBody'), id)
    if (id === STREAM) {
      assert.match(String(data), /^retry: \d+\n(event: \w+\nid: \d+\ndata: \{.*\}\n\n)+$/)
      continue
    }
    assertValid(
      path.startsWith('/api/auth/') ? data : { success: true, data },
      bodyAt(path, method, 'responses', '200'),
      id,
    )
  }
})

test('responses: the running service, success and error → valid against the schemas, without an undescribed field', async () => {
  const root = await kinora.person({ role: 'admin', credits: 1000 })
  const { data } = await kinora.generate(root)
  await completeVideo(kinora, root, data.uuid)
  const failing = await kinora.generate(root, { prompt: '[fail: no]' })
  await kinora.finish(root, failing.data.uuid)
  const waiting = await kinora.generate(root, { startImageUrl: 'https://example.com/boat.png', model: 'alpha-2' })
  const poor = await kinora.person({ credits: 0 })
  const callback = callbackUrl(kinora.app.config, 'provider-b', { userId: root.userId, videoId: data.uuid })
  const today = startOfToday()
  const subscription = { id: 'sub_1', start: today, end: today + 1 }
  const event = eventB('customer.subscription.created', subscriptionB('new', root.userId, subscription))
  const session = sessionB(root.userId, { mode: 'subscription', subscription: 'sub_1' })
  await deliverAll(kinora, 'payment-b', event, eventB('checkout.session.completed', session))
  const eventId = (await storedAs(kinora, event))?.id
  const events = '/api/v1/admin/payments/events'
  const apply = `${events}/{id}/apply`
  const uuid = '/api/v1/video/{uuid}'
  const cancel = `${uuid}/cancel`
  const key = { 'idempotency-key': 'k' }
  const [take, reverse] = ['/api/v1/admin/credits/take', '/api/v1/admin/credits/reverse-expiry']
  const reason = 'by mistake'
  const png = { 'content-type': 'image/png' }

  const calls: [method: string, path: string, url: string, status: number, options?: object][] = [
    ['post', '/api/v1/video/generate', '', 200, { as: root, body: generateBody, headers: key }],
    ['post', '/api/v1/video/generate', '', 400, { as: root, body: {} }],
    ['post', '/api/v1/video/generate', '', 401, { body: {} }],
    ['post', '/api/v1/video/generate', '', 402, { as: poor, body: generateBody }],
    ['post', '/api/v1/video/generate', '', 413, { as: root, body: { prompt: 'x'.repeat(2 ** 20) } }],
    ['post', '/api/v1/video/generate', '', 415, { as: root, body: 'x' }],
    ['post', '/api/v1/video/generate', '', 422, { as: root, body: { ...generateBody, duration: 5 }, headers: key }],
    ['post', '/api/v1/video/quote', '', 200, { as: poor, body: generateBody }],
    ['post', '/api/v1/video/quote', '', 400, { as: root, body: {} }],
    ['post', '/api/v1/video/quote', '', 401, { body: {} }],
    ['post', '/api/v1/video/image', '', 200, { as: root, body: await plain(64, 64), headers: png }],
    ['post', '/api/v1/video/image', '', 400, { as: root, body: await plain(8, 8), headers: png }],
    ['post', '/api/v1/video/image', '', 401, { body: 'x', headers: png }],
    ['post', '/api/v1/video/image', '', 413, { as: root, body: 'x'.repeat(15 * 2 ** 20 + 1), headers: png }],
    ['post', '/api/v1/video/image', '', 415, { as: root, body: {} }],
    ['get', '/api/v1/video/list', '/api/v1/video/list?pageSize=2', 200, { as: root }],
    ['get', '/api/v1/video/list', '/api/v1/video/list?status=COMPLETED', 200, { as: root }],
    ['get', '/api/v1/video/list', '/api/v1/video/list?q=boat', 200, { as: root }],
    ['get', '/api/v1/video/list', '/api/v1/video/list?page=0', 400, { as: root }],
    ...[data.uuid, failing.data.uuid, waiting.data.uuid].flatMap((id): typeof calls => [
      ['get', '/api/v1/video/task', `/api/v1/video/task?uuid=${id}`, 200, { as: root }],
      ['get', uuid, `/api/v1/video/${id}`, 200, { as: root }],
    ]),
    ['get', '/api/v1/video/task', '', 400, { as: root }],
    ['get', '/api/v1/video/events', '', 401],
    ['get', uuid, '/api/v1/video/none', 404, { as: root }],
    ['post', '/api/v1/video/callback/{provider}', callback.slice(kinora.url.length), 200, { body: failed() }],
    ['post', '/api/v1/video/callback/{provider}', callback.slice(kinora.url.length), 400, { body: '{' }],
    ['post', '/api/v1/video/callback/{provider}', '/api/v1/video/callback/provider-b', 401, { body: '{' }],
    ['post', cancel, `/api/v1/video/${waiting.data.uuid}/cancel`, 200, { as: root }],
    ['post', cancel, `/api/v1/video/${data.uuid}/cancel`, 409, { as: root }],
    ['post', cancel, `/api/v1/video/${data.uuid}/cancel`, 404, { as: poor }],
    ['post', cancel, `/api/v1/video/${data.uuid}/cancel`, 401],
    ['delete', uuid, `/api/v1/video/${data.uuid}`, 200, { as: root }],
    ['delete', uuid, `/api/v1/video/${data.uuid}`, 404, { as: root }],
    ['get', '/api/v1/config/models', '', 200],
    ['get', '/api/v1/credit/balance', '', 200, { as: root }],
    ['get', '/api/v1/credit/history', '', 200, { as: root }],
    ['get', '/api/v1/credit/history', '/api/v1/credit/history?transType=REFUND&pageSize=1', 200, { as: root }],
    ['get', '/api/v1/credit/history', '/api/v1/credit/history?cursor=0', 400, { as: root }],
    ['get', '/api/v1/credit/history', '', 401],
    ['get', '/api/v1/credit/packages', '', 200, { as: root }],
    ['get', '/api/v1/credit/packages', '', 401],
    ['post', '/api/v1/admin/credits/add', '', 200, { as: root, body: { credits: 1 } }],
    ['post', '/api/v1/admin/credits/add', '', 403, { as: poor, body: { credits: 1 } }],
    ['post', '/api/v1/admin/credits/add', '', 404, { as: root, body: { credits: 1, userId: 'none' } }],
    ['post', take, '', 200, { as: root, body: { userId: root.userId, credits: 1, reason } }],
    ['post', take, '', 409, { as: root, body: { userId: poor.userId, credits: 1, reason } }],
    ['post', reverse, '', 404, { as: root, body: { userId: poor.userId, packageId: 'none', reason } }],
    ['post', '/api/v1/admin/ledger/check', '', 200, { as: root }],
    ['get', '/api/v1/admin/ledger/check', '', 200, { as: root }],
    ['get', '/api/v1/admin/users', '', 200, { as: root }],
    ['get', '/api/v1/admin/users', '/api/v1/admin/users?cursor=x', 400, { as: root }],
    ['get', '/api/v1/admin/users/{id}', `/api/v1/admin/users/${poor.userId}`, 200, { as: root }],
    ['get', '/api/v1/admin/users/{id}', '/api/v1/admin/users/none', 404, { as: root }],
    ['get', '/api/v1/admin/users/{id}/history', `/api/v1/admin/users/${root.userId}/history`, 200, { as: root }],
    ['get', '/api/v1/admin/videos', '', 200, { as: root }],
    ['get', '/api/v1/admin/videos', '', 403, { as: poor }],
    ['get', '/api/v1/admin/providers', '', 200, { as: root }],
    ['get', '/api/v1/config/plans', '', 200],
    ['post', '/api/v1/billing/checkout', '', 400, { as: root, body: { productId: 'none' } }],
    ['post', '/api/v1/billing/checkout', '', 503, { as: root, body: { productId: 'pack-pro' } }],
    ['post', '/api/v1/billing/portal', '', 409, { as: poor }],
    ['post', '/api/v1/billing/portal', '', 503, { as: root }],
    ['get', '/api/v1/billing/subscription', '', 200, { as: root }],
    ['get', '/api/v1/billing/subscription', '', 200, { as: poor }],
    ['get', '/api/v1/billing/subscription', '', 401],
    ['get', events, '', 200, { as: root }],
    ['get', events, `${events}?state=none`, 400, { as: root }],
    ['get', events, '', 403, { as: poor }],
    ['post', apply, `${events}/${eventId}/apply`, 200, { as: root, body: {} }],
    ['post', apply, `${events}/${eventId}/apply`, 400, { as: root, body: { user: 1 } }],
    ['post', apply, `${events}/none/apply`, 404, { as: root, body: {} }],
  ]
  for (const [method, path, url, status, options] of calls) {
    const response = await kinora.call(method.toUpperCase(), url || path, options)
    const title = `${method} ${url || path}`
    assert.equal(response.status, status, title)
    assertValid(JSON.parse(response.text), bodyAt(path, method, 'responses', String(status)), title)
  }
})

/** Operations with a 401 but without a session: a signature or a password was wrong. */
const withOwnCredential = new Set([
  'receiveCallback',
  'signIn',
  'verifyEmail',
  'signInWithPasskey',
  'verifyTotp',
  'verifyRecoveryCode',
])

/** A callback for a task that is already final: recorded, without effect. */
const failed = () => ({ code: 200, msg: 'success', data: { state: 'fail', failMsg: 'too late' } })
