/** The description of a video's fields against the database, and what each parameter has to reach. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../../src/db/call.ts'
import { videoColumns } from '../../src/db/columns.ts'
import type { Parameters, RequestedParameters } from '../../src/film/fields.ts'
import { parametersOf, pickParameters } from '../../src/film/parameters.ts'
import { newId } from '../../src/id.ts'
import { hashOfRequest } from '../../src/video/replay.ts'
import { videoGenerate } from '../../src/video/transitions.ts'
import { openKinora } from '../support/harness.ts'
import { describedFields as fields, parameters, sampleParameters as values } from '../support/sample-parameters.ts'
import { newVideo } from '../support/video-row.ts'

const kinora = await openKinora()
const { sql } = kinora.app
const ann = await kinora.person()

test('generate: each parameter → is in the row that a worker claims', async () => {
  const now = kinora.app.now()
  const videoId = newId(now)
  const { outcome } = await videoGenerate(sql, newVideo({ userId: ann.userId, videoId, now, ...values }))
  assert.equal(outcome, 'created')
  const [row] = await sql<Parameters[]>`
    select ${videoColumns(sql, 'claim', now)} from kinora.video v where v.id = ${videoId}
  `
  assert.deepEqual(row && pickParameters(row), values)
})

test('erase: each parameter → is gone from the row, but for those that the books name and that are no text of the user', async () => {
  const now = kinora.app.now()
  const videoId = newId(now)
  await videoGenerate(sql, newVideo({ userId: ann.userId, videoId, now, ...values }))
  assert.equal((await kinora.call('POST', `/api/v1/video/${videoId}/cancel`, { as: ann })).status, 200)
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${videoId}`, { as: ann })).status, 200)
  await call(sql, 'account_erase_videos', { userId: ann.userId, ids: [videoId], now })
  const [row] = await sql<Parameters[]>`
    select ${videoColumns(sql, 'claim', now)} from kinora.video v where v.id = ${videoId}
  `
  const left = Object.entries(row ? pickParameters(row) : {}).filter(([, value]) => value !== null && value !== '')
  assert.deepEqual(
    left.map(([name]) => name),
    ['model', 'durationS', 'aspectRatio', 'quality', 'seed', 'audio', 'mode'],
  )
})

test('parameters: each → is read by workers, exports and the formats of other services, and shown by its name', () => {
  const shownAs: Record<string, string> = {
    quality: 'resolution',
  }
  for (const { key, name, views } of parameters) {
    for (const view of ['compatible', 'webhook', 'export', 'claim']) assert.ok(views.includes(view), `${key}: ${view}`)
    const shown = fields[shownAs[name] ?? name]
    assert.ok(shown && 'example' in shown && shown.in.includes('detail'), `${name} is not in the detail`)
  }
})

test('parameters: each → is in lists, tools and events of webhooks, but for those that these leave out', () => {
  const optional = ['negativePrompt', 'audio', 'options']
  const leftOut = {
    list: ['quality', 'inputs', ...optional],
    mcp: ['quality', 'inputs', ...optional],
    event: ['prompt', 'inputs', ...optional],
  }
  for (const [view, names] of Object.entries(leftOut)) {
    const absent = parameters.filter(({ name, views }) => !views.includes(view) && !fields[name]?.in.includes(view))
    assert.deepEqual(
      absent.map(({ name }) => name),
      names,
      view,
    )
  }
})

test('idempotency: a request with another value of one parameter → has another hash', () => {
  const inputs = [{ role: 'start', url: 'https://example.com/start.png' }]
  const request = {
    ...Object.fromEntries(parameters.map(({ key, name }) => [name, values[key as keyof Parameters]])),
    inputs,
  }
  const hashOf = (change: object) =>
    hashOfRequest(kinora.app, { ...request, ...change } as RequestedParameters).toString('hex')
  const others: Record<string, unknown> = { string: 'another', boolean: false, object: { a: 1 }, array: ['another'] }
  const hashes = parameters.map(({ name, type }) =>
    hashOf({ [name]: name === 'inputs' ? [{ role: 'end', url: 'https://example.com/end.png' }] : (others[type] ?? 8) }),
  )
  const beside = [hashOf({ webhookUrl: 'https://example.com/' }), hashOf({})]
  assert.equal(new Set([...hashes, ...beside]).size, parameters.length + 2)
})

test('idempotency: a parameter that is left out → the hash of a request that gives its default', () => {
  const least = { prompt: 'A boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }
  const { durationS: duration, mode: _, ...whole } = parametersOf(least)
  const hash = hashOfRequest(kinora.app, least)
  const named = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null))
  assert.deepEqual(hashOfRequest(kinora.app, { ...named, duration } as RequestedParameters), hash)
})
