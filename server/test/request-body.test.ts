/** Bodies of requests, for every operation of openapi.json that changes something: unknown fields, and no body at all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openKinora, pathsOf } from './harness.ts'

type Operation = { operationId: string; requestBody?: unknown }
type Document = { paths: Record<string, Record<string, Operation>> }

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin' })
const { paths } = JSON.parse((await kinora.call('GET', '/openapi.json')).text) as Document
/** Their bodies are no JSON objects of ours: a picture, a provider's report, a form. */
const otherBodies = ['uploadImage', 'receiveCallback', 'unsubscribe']
const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'),
      takesBody: operation.requestBody !== undefined,
    })),
  )
  .filter(({ id, method }) => method !== 'GET' && !otherBodies.includes(id))

test('operations: those that change something → some take a body and some do not', () => {
  assert.ok(operations.filter(({ takesBody }) => takesBody).length > 10)
  assert.ok(operations.filter(({ takesBody }) => !takesBody).length > 10)
})

for (const { id, method, path, takesBody } of operations) {
  test(`400: ${id} with an unknown field → named`, async () => {
    const response = await kinora.call(method, path, { as: root, body: { surplus: 1 } })
    assert.deepEqual([response.status, response.error?.code], [400, 'INVALID_REQUEST'])
    assert.ok(pathsOf(response).includes('surplus'), response.text)
  })

  const outcome = takesBody ? '400' : 'counts as no body'
  test(`${id}: Content-Type: application/json and an empty body → ${outcome}`, async () => {
    const send = async (headers: Record<string, string>, body?: string): Promise<Answer> =>
      kinora.call(method, path, { as: root, headers, ...(body === undefined ? {} : { body }) })
    const json = { 'content-type': 'application/json' }
    for (const response of [await send(json), await send(json, ''), ...(takesBody ? [await send({})] : [])]) {
      if (takesBody) {
        assert.deepEqual([response.status, response.error?.code], [400, 'INVALID_REQUEST'])
        assert.match(response.error?.message ?? '', /needs a body/)
        assert.deepEqual(pathsOf(response), ['body'])
      } else {
        assert.ok(![400, 415].includes(response.status) && response.status < 500, response.text)
      }
    }
  })
}

test('400: POST of each compatible API with Content-Type: application/json and an empty body → the error of its format', async () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'ai-video-model-id': 'delta-1-5',
  }
  for (const path of ['/v1/videos', '/api/v1/videos', '/replicate/v1/predictions', '/ai-gateway/video-model', '/mcp']) {
    const { status, text } = await kinora.call('POST', path, { as: root, headers })
    assert.equal(status, 400, `${path}: ${text}`)
    assert.ok(Object.keys(JSON.parse(text)).length > 0)
  }
})
