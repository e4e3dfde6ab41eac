// slow
/** openapi.json describes every response of the running service, field by field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, statusOf } from '../../src/errors.ts'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { completeVideo } from '../support/completed-video.ts'
import { generateBody, openKinora } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { deliverAll, paymentEnv, storedAs } from '../support/payment/payment-delivery.ts'
import { eventB, sessionB, startOfToday, subscriptionB } from '../support/payment/payment-events.ts'
import { bodyAt, responseKey, servedDocument } from '../support/served-document.ts'

const kinora = await openKinora({ simulator: true, env: paymentEnv })
const { assertValid } = await servedDocument(kinora)

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
  const [collect, forgive] = ['/api/v1/admin/credits/collect', '/api/v1/admin/credits/forgive']
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
    ['get', uuid, '/api/v1/video/%ff', 400, { as: root }],
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
    ['get', '/api/v1/config/templates', '', 200],
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
    ['post', collect, '', 409, { as: root, body: { userId: poor.userId, credits: 1, reason } }],
    ['post', forgive, '', 409, { as: root, body: { userId: poor.userId, credits: 1, reason } }],
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
    assertValid(JSON.parse(response.text), bodyAt(path, method, 'responses', responseKey(status)), title)
    const { code } = JSON.parse(response.text).error ?? {}
    if (status >= 400) assert.equal(statusOf[code as ErrorCode], status, title)
  }
})

/** A callback for a task that is already final: recorded, without effect. */
const failed = () => ({ code: 200, msg: 'success', data: { state: 'fail', failMsg: 'too late' } })
