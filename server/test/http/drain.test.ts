/**
 * The drain of an API process: what is under way ends; a request on an open connection is served once more, so that a
 * proxy finds another process, and later refused in the API's own form.
 */
import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { closeHttp, openHttp } from '../../src/http/server.ts'
import { openSignIn } from '../../src/http/sign-in/auth.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const SHOP = 'https://shop.example.com'
const kinora = await openKinora({ env: { CORS_ORIGINS: SHOP } })
const { app } = kinora

test('200: request on an idle connection at the beginning of the drain → Connection: close; a new connection is refused', async () => {
  const auth = openSignIn(app)
  const http = await openHttp(app, auth)
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitFor('the first response', () => received.includes('"success":true'))
  assert.doesNotMatch(received, /\r\nconnection: close\r\n/i)
  received = ''
  // No limit of time: the end of the connection is the end of the drain.
  const closed = closeHttp(http, 60_000)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`), { message: 'fetch failed' })
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await ended
  assert.match(received, /^HTTP\/1\.1 200 /)
  assert.match(received, /\r\nconnection: close\r\n/i)
  await closed
  await auth.close()
})

test('503: request during the drain → envelope, code, Retry-After, Connection: close, also for a page of CORS_ORIGINS; the one before it gets its response', async (t) => {
  const { check } = app.storage
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  app.storage.check = () => {
    begun.resolve()
    return held.promise
  }
  t.after(() => {
    app.storage.check = check
  })
  const auth = openSignIn(app)
  const http = await openHttp(app, auth)
  await http.listen({ port: 0, host: '127.0.0.1' })
  const socket = net.connect((http.server.address() as net.AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n')
  await begun.promise
  const closed = closeHttp(http, 0)
  const refused = new Promise<void>((resolve) => http.server.once('request', () => resolve()))
  socket.write(`GET /api/v1/credit/balance HTTP/1.1\r\nhost: x\r\norigin: ${SHOP}\r\n\r\n`)
  await refused
  held.resolve()
  await closed
  await auth.close()
  await waitFor('both responses', () => received.includes('"requestId"'))
  const [first = '', second = ''] = received.split(/(?=HTTP\/1\.1 503)/)
  assert.match(first, /^HTTP\/1\.1 200 /)
  assert.match(second, /\r\nretry-after: 1\r\n/)
  assert.match(second, /\r\nconnection: close\r\n/i)
  assert.match(second, new RegExp(`\\r\\naccess-control-allow-origin: ${SHOP}\\r\\n`))
  const { success, error } = JSON.parse(second.slice(second.indexOf('\r\n\r\n')))
  assert.deepEqual([success, error.code], [false, 'UNAVAILABLE'])
})
