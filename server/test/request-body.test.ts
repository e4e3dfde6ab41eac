/** Bodies of requests, for every operation of openapi.json that changes something: unknown fields. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, pathsOf } from './harness.ts'

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

for (const { id, method, path } of operations) {
  test(`400: ${id} with an unknown field → named`, async () => {
    const response = await kinora.call(method, path, { as: root, body: { surplus: 1 } })
    assert.deepEqual([response.status, response.error?.code], [400, 'INVALID_REQUEST'])
    assert.ok(pathsOf(response).includes('surplus'), response.text)
  })
}
