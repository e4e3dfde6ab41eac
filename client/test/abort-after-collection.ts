/**
 * `node --expose-gc client/test/abort-after-collection.ts`: aborts two requests after garbage collections, one without
 * a response and one with an unfinished body, and prints how each ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openKinora } from '../src/index.ts'
import { startHttpServer } from './faulty-proxy.ts'

let arrived = () => {}
const slow = await startHttpServer((request, response) => {
  if (request.url?.includes('plans')) response.writeHead(200).write('{')
  arrived()
})
const kinora = openKinora({ baseUrl: slow.url })
for (const path of ['/api/v1/config/models', '/api/v1/config/plans'] as const) {
  const controller = new AbortController()
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const ended = kinora.GET(path, { signal: controller.signal }).then(
    () => 'a response',
    ({ name }: Error) => name,
  )
  await arrival
  // Each tick of the event loop releases more objects.
  for (let tick = 0; tick < 5; tick += 1) {
    await sleep(10)
    globalThis.gc?.()
  }
  controller.abort()
  console.log(await Promise.race([ended, sleep(20_000, 'nothing', { ref: false })]))
}
await slow.close()
