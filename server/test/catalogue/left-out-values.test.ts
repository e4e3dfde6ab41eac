/** The values left out of a request: in clients by the model's JSON Schema, in compatible APIs by constraints. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withModelValues as completed, type GenerateBody, type Schemas } from '../../../client/src/index.ts'
import { catalogue } from '../../src/catalogue/catalogue.ts'
import { withModelValues } from '../../src/catalogue/request.ts'
import { requestSchema } from '../../src/catalogue/request-schema.ts'
import { addModel, modelOf } from '../support/changed-models.ts'

addModel('modal', {
  modes: {
    'text-to-video': { duration: { from: 4, to: 12 }, quality: ['720p', '1080p'], aspectRatio: ['16:9', '9:16'] },
    'image-to-video': { duration: [6, 9] },
  },
  rules: [{ when: { quality: '1080p' }, then: { duration: [9] } }],
  routes: [
    { account: 'provider-a', serves: { duration: { from: 5, to: 12 } } },
    { account: 'provider-b', serves: { aspectRatio: ['9:16'] } },
  ],
})
const account = { url: 'https://provider.example', apiKey: 'key', webhookKey: null, timeoutS: 60 }
const settingsOf = (...accounts: string[]) => ({
  providers: Object.fromEntries(accounts.map((id) => [id, { ...account, adapter: id }])),
  creditUsd: null,
})
const image = { startImageUrl: 'https://example.com/a.png' }

test('client’s withModelValues: mode, rule, route → each narrows the duration; a request that is refused → the model’s shortest', () => {
  const shortest = (accounts: string[], more: Partial<GenerateBody>) => {
    const schema = requestSchema(catalogue(settingsOf(...accounts)).get('modal') ?? modelOf('modal'))
    const model = { minDuration: 4, maxDuration: 12, aspectRatios: ['9:16', '16:9'], schema } as Schemas['Model']
    return completed(model, { prompt: 'A boat', model: 'modal', aspectRatio: '16:9', ...more }).duration
  }
  assert.equal(shortest(['provider-a'], {}), 5)
  assert.equal(shortest(['provider-b'], { aspectRatio: '9:16' }), 4)
  assert.equal(shortest(['provider-a', 'provider-b'], image), 6)
  assert.equal(shortest(['provider-a', 'provider-b'], { quality: '1080p' }), 9)
  assert.equal(shortest(['provider-a'], { aspectRatio: '1:1' }), 4)
})

test('withModelValues: values of a route that is on → preferred where it serves them, else the first that it serves', () => {
  const values = (accounts: string[], more: object, preferred: { duration?: number; aspectRatio: string }) => {
    const input = { prompt: 'A boat', model: 'modal', ...more }
    const { duration, aspectRatio } = withModelValues(catalogue(settingsOf(...accounts)), input, preferred)
    return [duration, aspectRatio]
  }
  assert.deepEqual(values(['provider-a'], {}, { aspectRatio: '16:9' }), [5, '16:9'])
  assert.deepEqual(values(['provider-b'], {}, { aspectRatio: '16:9' }), [4, '9:16'])
  assert.deepEqual(values(['provider-a'], {}, { duration: 4, aspectRatio: '9:16' }), [5, '9:16'])
  assert.deepEqual(values(['provider-a'], image, { aspectRatio: '16:9' }), [6, '16:9'])
  assert.deepEqual(values([], {}, { duration: 4, aspectRatio: '16:9' }), [4, '16:9'])
})
