/** Large responses: a film in base64, of which many may end at once. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHttpClient } from '../../src/net/http-client.ts'

const LARGE = 'x'.repeat(9 * 1024 * 1024)
/** Of a request for /held, whose response has not ended. */
let onHeld = (_response: ServerResponse) => {}
const server = createServer(({ url }, response) => {
  if (url === '/small') return response.end('{"film":"small"}')
  response.write(`{"film":"${LARGE}`)
  if (url === '/held') onHeld(response)
  else response.end('"}')
  return undefined
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const client = openHttpClient(20)
after(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})

const call = async (path: string, signal?: AbortSignal) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const result = await client.call('GET', url, { headers: {}, bytesMax: 16 * 1024 * 1024, signal })
  return result.kind === 'response' ? (result.body as { film: string }).film.length : result.kind
}

/** Begins a response that is held. */
async function startHeld() {
  const response = new Promise<ServerResponse>((resolve) => {
    onHeld = resolve
  })
  const ended = call('/held')
  const early = ended.then((result): never => assert.fail(`the call ended before its response: ${result}`))
  return { ended, response: await Promise.race([response, early]) }
}

test('large body: another one is being read → waits for it; a small one does not, an aborted one ends', async () => {
  const first = await startHeld()
  await sleep(100)
  let isDone = false
  const second = call('/large').finally(() => {
    isDone = true
  })
  assert.match(String(await call('/large', AbortSignal.timeout(500))), /^no/)
  assert.equal(await call('/small'), 'small'.length)
  assert.equal(isDone, false)
  first.response.end('"}')
  assert.deepEqual(await Promise.all([first.ended, second]), [LARGE.length, LARGE.length])
  const broken = await startHeld()
  broken.response.destroy()
  assert.deepEqual([await broken.ended, await call('/large')], ['no_response', LARGE.length])
})
