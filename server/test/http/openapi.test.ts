// slow
/** openapi.json and openapi-operator.json: current, valid, complete. Responses: openapi-responses.test.ts. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  clientTypesFiles,
  describeClientTypes,
  describeKeyedOperations,
  keyedOperationsFile,
} from '../../../client/generate.ts'
import { describePythonClient, pythonFiles } from '../../../python-client/generate.ts'
import { describeApi, documentNames, EXAMPLE_SERVER, openApiFiles } from '../../openapi.ts'
import { exampleOf } from '../../src/http/openapi/openapi.ts'
import { WEBHOOK_EVENTS } from '../../src/webhook/events.ts'
import { openKinora } from '../support/harness.ts'
import { bodyAt, pointer, servedDocument } from '../support/served-document.ts'

const kinora = await openKinora()
const { served, operations, webhooks, ajv, assertValid, assertEvent } = await servedDocument(kinora)

const tags = new Set(served.tags.map(({ name }) => name))

/** The only response without an envelope. */
const STREAM = 'streamVideoEvents'
const ARCHIVES = ['exportAccount', 'exportSubject', 'exportTeam', 'archiveProject', 'archiveVideos']
const CSV = [
  'downloadCosts',
  'downloadCreditUsage',
  'downloadMovements',
  'downloadShots',
  'downloadTakedowns',
  'downloadTeamLog',
]

test('documents: the files in the repository → equal the served ones (`npm run openapi` writes them)', async () => {
  const made = await describeApi()
  for (const name of documentNames) {
    const file = await readFile(openApiFiles[name], 'utf8')
    const document = await (await fetch(`${kinora.url}/${name}.json`)).json()
    assert.deepEqual(JSON.parse(file), { ...(document as object), servers: [{ url: EXAMPLE_SERVER }] })
    assert.equal(file, made[name])
  }
  assert.equal(served.openapi, '3.1.0')
})

test('openapi.json: what people build on → no operation of sign-in and administration, but all of the specification', async () => {
  const { paths } = JSON.parse(await readFile(openApiFiles.openapi, 'utf8')) as { paths: Record<string, object> }
  const others = Object.keys(paths).filter((path) => /^\/api\/(auth|v1\/admin)\//.test(path))
  assert.deepEqual(others, ['/api/v1/admin/credits/add'])
  assert.ok(paths['/api/v1/video/generate'] && paths['/api/v1/video/callback/{provider}'])
})

test('client types: the files in the repository → generated from the current documents (`npm run openapi` writes them)', async () => {
  for (const name of documentNames) {
    const made = await describeClientTypes(await readFile(openApiFiles[name], 'utf8'))
    assert.equal(await readFile(clientTypesFiles[name], 'utf8'), made)
  }
  const texts = await Promise.all(documentNames.map((name) => readFile(openApiFiles[name], 'utf8')))
  assert.equal(await readFile(keyedOperationsFile, 'utf8'), describeKeyedOperations(texts))
  const python = describePythonClient(texts[0] ?? '')
  for (const name of ['types', 'operations'] as const)
    assert.equal(await readFile(pythonFiles[name], 'utf8'), python[name])
})

test('operations: each one of the list → has an id, a summary, a tag, and examples of both bodies', () => {
  assert.deepEqual(operations.map(({ method, path }) => `${method} ${path}`).sort(), [
    'delete /api/v1/account',
    'delete /api/v1/admin/codes/{id}',
    'delete /api/v1/admin/invitations/{id}',
    'delete /api/v1/admin/teams/{id}',
    'delete /api/v1/admin/users/{id}',
    'delete /api/v1/asset/{id}',
    'delete /api/v1/billing/top-up',
    'delete /api/v1/project/{id}',
    'delete /api/v1/project/{id}/shots/{shotId}',
    'delete /api/v1/subject/{subject}',
    'delete /api/v1/team',
    'delete /api/v1/team/invitations/{id}',
    'delete /api/v1/team/keys/{id}',
    'delete /api/v1/team/members/{id}',
    'delete /api/v1/team/programs/{id}',
    'delete /api/v1/video/folders/{id}',
    'delete /api/v1/video/{uuid}',
    'delete /api/v1/video/{uuid}/publication',
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
    'get /api/v1/admin/books',
    'get /api/v1/admin/books/movements.csv',
    'get /api/v1/admin/catalogue',
    'get /api/v1/admin/catalogue/file',
    'get /api/v1/admin/codes',
    'get /api/v1/admin/costs',
    'get /api/v1/admin/costs.csv',
    'get /api/v1/admin/costs/accounts',
    'get /api/v1/admin/explore/reports',
    'get /api/v1/admin/incidents',
    'get /api/v1/admin/invitations',
    'get /api/v1/admin/ledger/check',
    'get /api/v1/admin/mails',
    'get /api/v1/admin/mails/{id}',
    'get /api/v1/admin/models',
    'get /api/v1/admin/moderation',
    'get /api/v1/admin/overview',
    'get /api/v1/admin/payments',
    'get /api/v1/admin/payments/events',
    'get /api/v1/admin/payments/{id}',
    'get /api/v1/admin/providers',
    'get /api/v1/admin/setup',
    'get /api/v1/admin/subscriptions',
    'get /api/v1/admin/tags',
    'get /api/v1/admin/takedowns',
    'get /api/v1/admin/takedowns.csv',
    'get /api/v1/admin/takedowns/film',
    'get /api/v1/admin/teams',
    'get /api/v1/admin/teams/{id}',
    'get /api/v1/admin/teams/{id}/members',
    'get /api/v1/admin/users',
    'get /api/v1/admin/users/{id}',
    'get /api/v1/admin/users/{id}/desk',
    'get /api/v1/admin/users/{id}/history',
    'get /api/v1/admin/users/{id}/payments',
    'get /api/v1/admin/videos',
    'get /api/v1/admin/videos/ended',
    'get /api/v1/admin/videos/{uuid}',
    'get /api/v1/asset',
    'get /api/v1/asset/{id}',
    'get /api/v1/billing/invoices',
    'get /api/v1/billing/preview',
    'get /api/v1/billing/subscription',
    'get /api/v1/billing/top-up',
    'get /api/v1/config/models',
    'get /api/v1/config/notices',
    'get /api/v1/config/plans',
    'get /api/v1/config/sign-in',
    'get /api/v1/config/templates',
    'get /api/v1/credit/alert',
    'get /api/v1/credit/balance',
    'get /api/v1/credit/gift',
    'get /api/v1/credit/history',
    'get /api/v1/credit/packages',
    'get /api/v1/credit/usage',
    'get /api/v1/credit/usage.csv',
    'get /api/v1/explore',
    'get /api/v1/explore/{id}',
    'get /api/v1/key',
    'get /api/v1/limits',
    'get /api/v1/project',
    'get /api/v1/project/{id}',
    'get /api/v1/project/{id}/archive',
    'get /api/v1/project/{id}/shots.csv',
    'get /api/v1/share/{token}',
    'get /api/v1/subject/{subject}/export',
    'get /api/v1/takedown/{token}',
    'get /api/v1/team',
    'get /api/v1/team/credits',
    'get /api/v1/team/export',
    'get /api/v1/team/invitations',
    'get /api/v1/team/keys',
    'get /api/v1/team/log',
    'get /api/v1/team/log.csv',
    'get /api/v1/team/members',
    'get /api/v1/team/members/{id}/given',
    'get /api/v1/team/programs',
    'get /api/v1/teams',
    'get /api/v1/video/archive',
    'get /api/v1/video/consent',
    'get /api/v1/video/events',
    'get /api/v1/video/folders',
    'get /api/v1/video/list',
    'get /api/v1/video/task',
    'get /api/v1/video/{uuid}',
    'get /api/v1/video/{uuid}/publication',
    'get /api/v1/video/{uuid}/share',
    'get /api/v1/video/{uuid}/takedown',
    'get /api/v1/webhook/endpoints',
    'get /api/v1/webhook/endpoints/{id}',
    'get /api/v1/webhook/endpoints/{id}/deliveries',
    'get /api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}',
    'patch /api/v1/asset/{id}',
    'patch /api/v1/project/{id}',
    'patch /api/v1/project/{id}/shots/{shotId}',
    'patch /api/v1/team',
    'patch /api/v1/team/members/{id}',
    'patch /api/v1/video/folders/{id}',
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
    'post /api/v1/admin/catalogue/restore',
    'post /api/v1/admin/catalogue/take',
    'post /api/v1/admin/codes',
    'post /api/v1/admin/credits/add',
    'post /api/v1/admin/credits/collect',
    'post /api/v1/admin/credits/forgive',
    'post /api/v1/admin/credits/reverse-expiry',
    'post /api/v1/admin/credits/take',
    'post /api/v1/admin/explore/{id}/decide',
    'post /api/v1/admin/invitations',
    'post /api/v1/admin/ledger/check',
    'post /api/v1/admin/mails/{id}/retry',
    'post /api/v1/admin/payments/events/{id}/apply',
    'post /api/v1/admin/payments/events/{id}/dismiss',
    'post /api/v1/admin/payments/{id}/refund',
    'post /api/v1/admin/search',
    'post /api/v1/admin/setup/close',
    'post /api/v1/admin/setup/{item}/test',
    'post /api/v1/admin/teams/{id}/lock',
    'post /api/v1/admin/teams/{id}/members/{userId}/owner',
    'post /api/v1/admin/teams/{id}/unlock',
    'post /api/v1/admin/users/{id}/desk/address',
    'post /api/v1/admin/users/{id}/desk/key',
    'post /api/v1/admin/users/{id}/desk/limits',
    'post /api/v1/admin/users/{id}/desk/note',
    'post /api/v1/admin/users/{id}/desk/note-deletion',
    'post /api/v1/admin/users/{id}/desk/password',
    'post /api/v1/admin/users/{id}/desk/second-factor',
    'post /api/v1/admin/users/{id}/desk/sessions',
    'post /api/v1/admin/users/{id}/desk/tags',
    'post /api/v1/admin/users/{id}/verification',
    'post /api/v1/admin/videos/{uuid}/restore',
    'post /api/v1/asset',
    'post /api/v1/billing/checkout',
    'post /api/v1/billing/portal',
    'post /api/v1/credit/gift/seen',
    'post /api/v1/credit/redeem',
    'post /api/v1/explore/{id}/report',
    'post /api/v1/invitation',
    'post /api/v1/key/token',
    'post /api/v1/project',
    'post /api/v1/project/{id}/generate',
    'post /api/v1/project/{id}/quote',
    'post /api/v1/project/{id}/render',
    'post /api/v1/project/{id}/shots',
    'post /api/v1/provenance/verify',
    'post /api/v1/team',
    'post /api/v1/team/credits',
    'post /api/v1/team/invitations',
    'post /api/v1/team/invitations/accept',
    'post /api/v1/team/invitations/open',
    'post /api/v1/team/keys',
    'post /api/v1/team/take-over',
    'post /api/v1/video/arrange',
    'post /api/v1/video/callback/{provider}',
    'post /api/v1/video/delete',
    'post /api/v1/video/folders',
    'post /api/v1/video/generate',
    'post /api/v1/video/image',
    'post /api/v1/video/quote',
    'post /api/v1/video/{uuid}/cancel',
    'post /api/v1/webhook/endpoints',
    'post /api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}/redeliver',
    'post /api/v1/webhook/endpoints/{id}/recover',
    'post /api/v1/webhook/endpoints/{id}/replay',
    'post /api/v1/webhook/endpoints/{id}/rotate',
    'post /api/v1/webhook/endpoints/{id}/test',
    'post /api/v1/webhook/secret',
    'post /api/v1/writer/prompt',
    'post /api/v1/writer/shots',
    'put /api/v1/account/notices',
    'put /api/v1/admin/catalogue/file',
    'put /api/v1/admin/incidents/{id}',
    'put /api/v1/admin/switches',
    'put /api/v1/admin/takedowns/{id}/answer',
    'put /api/v1/admin/videos/{uuid}/prompt',
    'put /api/v1/admin/videos/{uuid}/takedown',
    'put /api/v1/billing/top-up',
    'put /api/v1/credit/alert',
    'put /api/v1/takedown/{token}',
    'put /api/v1/video/consent',
    'put /api/v1/video/{uuid}/publication',
    'put /api/v1/video/{uuid}/share',
  ])
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
  for (const { id, operation } of operations) {
    assert.match(id, /^[a-z]\w+$/)
    assert.ok(operation.summary && operation.description && operation.security, id)
    assert.ok(operation.tags?.length === 1 && tags.has(operation.tags[0] ?? ''), id)
    const { requestBody, responses } = operation
    // A binary body has no JSON example.
    if (requestBody && id !== 'uploadImage' && id !== 'uploadAsset') {
      assert.ok(requestBody.content?.['application/json']?.example, `${id}: an example to send`)
    }
    const type = CSV.includes(id) ? 'text/csv' : id === STREAM ? 'text/event-stream' : 'application/json'
    const { example, schema } = responses['200']?.content?.[type] ?? {}
    assert.ok(ARCHIVES.includes(id) || example || exampleOf(schema) !== undefined, `${id}: an example of the response`)
    assert.ok(Object.values(responses).every(({ description }) => description && description !== 'Default Response'))
  }
})

test('schemas: every operation → compiles, its references and path parameters exist, its security is stated', () => {
  // readOpenApi has followed each reference.
  const text = JSON.stringify(served)
  assert.equal(text.match(/"\$ref"/g)?.length, text.match(/"\$ref":"#\/components\//g)?.length)
  for (const { id, path, method, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parameters = operation.parameters ?? []
    const described = parameters.filter((each) => each.in === 'path' && each.required).map(({ name }) => name)
    assert.deepEqual(described, inPath, id)
    assert.ok(parameters.every(({ schema, name }) => schema && ajv.validateSchema(schema) && name))
    assert.deepEqual(Object.keys(operation.responses), ['200', '4XX', '5XX'], id)
    for (const status of Object.keys(operation.responses)) {
      if ([STREAM, ...ARCHIVES, ...CSV].includes(id) && status === '200') continue
      assert.ok(ajv.getSchema(pointer(...bodyAt(path, method, 'responses', status))), `${id} ${status}`)
    }
    const schemes = (operation.security ?? []).flatMap((each) => Object.keys(each))
    const { description = '' } = operation.responses['4XX'] ?? {}
    if (path.startsWith('/api/v1/') && !withOwnCredential.has(id))
      assert.equal(schemes.length > 0, description.includes('UNAUTHENTICATED'), id)
    for (const scheme of schemes) assert.ok(served.components.securitySchemes[scheme])
  }
})

test('examples: every operation → valid against its schemas', () => {
  for (const { id, path, method, operation } of operations) {
    const request = operation.requestBody?.content?.['application/json']
    if (request) assertValid(request.example, bodyAt(path, method, 'requestBody'), id)
    const { 'application/json': json, 'text/event-stream': stream } = operation.responses['200']?.content ?? {}
    if (json) assertValid(json.example ?? exampleOf(json.schema), bodyAt(path, method, 'responses', '200'), id)
    if (stream)
      assert.match(
        String(stream.example ?? exampleOf(stream.schema)),
        /^retry: \d+\n(event: \w+\nid: \d+\ndata: \{.*\}\n\n)+$/,
      )
  }
})

test('webhooks: every type of event → described, with an example that is valid', () => {
  assert.deepEqual(Object.keys(served.webhooks), [...WEBHOOK_EVENTS, 'webhook.test'])
  for (const { post } of Object.values(webhooks)) {
    assert.ok(post.summary && post.tags?.every((tag) => tags.has(tag)))
    assertEvent(JSON.stringify(exampleOf(post.requestBody?.content?.['application/json']?.schema)))
  }
})

/** Operations with a 401 but without a session: a signature was wrong. */
const withOwnCredential = new Set(['receiveCallback'])
