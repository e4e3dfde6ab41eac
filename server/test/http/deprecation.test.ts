/** The notice of a route that will end: the headers of its responses, and its mark in openapi.json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { registerOpenApi } from '../../src/http/openapi/openapi.ts'
import { registerDeprecation } from '../../src/http/request/deprecation.ts'
import { openKinora } from '../support/harness.ts'

const { app } = await openKinora()
const successor = '/api/v1/video/list'
const deprecated = { since: '2026-11-26', sunset: '2027-06-01', successor }

test('200, 401: a deprecated route → Deprecation, Sunset and Link, `deprecated` in openapi.json; no other route has them', async (t) => {
  const http = Fastify()
  t.after(() => http.close())
  http.addHook('onRequest', async ({ url }) => {
    if (url.endsWith('/own')) throw Object.assign(new Error('no session'), { statusCode: 401 })
  })
  registerDeprecation(http)
  await registerOpenApi(http, app)
  const schema = { summary: 'A route', response: { 200: { type: 'object' } } }
  http.get('/api/v1/old', { config: { deprecated }, schema }, async () => ({}))
  http.get('/api/v1/old/own', { config: { deprecated }, schema }, async () => ({}))
  http.get('/api/v1/new', { schema }, async () => ({}))
  const noticeOf = async (url: string, status: number) => {
    const { statusCode, headers } = await http.inject(url)
    assert.equal(statusCode, status)
    return [headers.deprecation, headers.sunset, headers.link]
  }
  const notice = ['@1795651200', 'Tue, 01 Jun 2027 00:00:00 GMT', `<${successor}>; rel="successor-version"`]
  assert.deepEqual(await noticeOf('/api/v1/old', 200), notice)
  assert.deepEqual(await noticeOf('/api/v1/old/own', 401), notice)
  assert.deepEqual(await noticeOf('/api/v1/new', 200), [undefined, undefined, undefined])
  const { paths } = (await http.inject('/openapi.json')).json()
  assert.equal(paths['/api/v1/old'].get.deprecated, true)
  assert.equal(paths['/api/v1/new'].get.deprecated, undefined)
})

test('notice: shorter than 180 days → the route is not registered', () => {
  const http = Fastify()
  registerDeprecation(http)
  const config = { deprecated: { ...deprecated, sunset: '2027-05-01' } }
  assert.throws(
    () => http.get('/short', { config }, async () => ({})),
    /from 2026-11-26 to 2027-05-01 is shorter than 180 days/,
  )
})
