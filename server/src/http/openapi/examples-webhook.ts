/** Examples of the operations of /api/v1/webhook and of /api/v1/credit/alert, by operation id. */
const createdAt = '2026-01-15T09:30:00.000Z'
const id = '01939b1e-9999-7000-8000-000000000001'
const deliveryId = 'msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50'
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc='
const previousUntil = '2026-01-16T09:30:00.000Z'

const endpoint = {
  id,
  url: 'https://example.com/kinora',
  description: 'Nightly trailers',
  events: ['video.completed', 'video.failed'],
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  createdAt,
  updatedAt: createdAt,
}
const item = {
  id: deliveryId,
  type: 'video.completed',
  status: 'delivered',
  attempts: 1,
  responseStatus: 200,
  error: null,
  createdAt,
  attemptedAt: createdAt,
  nextAttemptAt: null,
}
const request = {
  url: endpoint.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Kinora-Webhooks/1',
    'webhook-id': deliveryId,
    'webhook-timestamp': '1768469400',
  },
  body: `{"data": {"uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50", "status": "COMPLETED"}, "type": "video.completed", "timestamp": "${createdAt}"}`,
}

export const webhookExamples = {
  getCreditAlert: { data: { below: 100 } },
  setCreditAlert: { request: { below: 100 }, data: { below: 100 } },
  getGift: { data: { state: 'decided', credits: 60, message: null, isSeen: true } },
  markGiftSeen: { data: { state: 'decided', credits: 60, message: null, isSeen: true } },
  createWebhookEndpoint: {
    request: { url: endpoint.url, description: endpoint.description, events: endpoint.events },
    data: { ...endpoint, secret },
  },
  listWebhookEndpoints: { data: { endpoints: [endpoint] } },
  getWebhookEndpoint: { data: endpoint },
  updateWebhookEndpoint: {
    request: { enabled: false },
    data: { ...endpoint, enabled: false, disabledReason: 'owner', disabledAt: createdAt },
  },
  deleteWebhookEndpoint: { data: { id, deleted: true } },
  rotateWebhookSecret: { data: { secret, previousUntil } },
  rotateWebhookUrlSecret: { data: { secret, previousUntil } },
  testWebhookEndpoint: { data: { deliveryId } },
  recoverWebhookEndpoint: { request: { since: createdAt }, data: { deliveries: 3 } },
  listWebhookDeliveries: { data: { deliveries: [item], pageSize: 20, nextCursor: null } },
  getWebhookDelivery: { data: { ...item, request, response: { status: 200, body: 'ok', durationMs: 38 } } },
  redeliverWebhook: {
    data: {
      ...item,
      status: 'pending',
      attempts: 0,
      nextAttemptAt: createdAt,
      request,
      response: { status: 200, body: 'ok', durationMs: 38 },
    },
  },
}
