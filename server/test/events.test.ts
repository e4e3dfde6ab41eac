import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from './harness.ts'

const kinora = await openKinora({ simulator: true, worker: true })

test('trial', async () => {
  const ann = await kinora.person({ credits: 100 })
  const stop = new AbortController()
  const response = await fetch(`${kinora.url}/api/v1/video/events`, { headers: { authorization: `Bearer ${ann.token}` }, signal: stop.signal })
  console.log(response.status, response.headers)
  const { data } = await kinora.generate(ann)
  let text = ''
  assert.ok(response.body)
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    console.log(Date.now() % 100000, JSON.stringify(chunk))
    if (text.includes('COMPLETED')) break
  }
  console.log(data)
  const h = await kinora.call('HEAD', '/api/v1/video/events', { as: ann })
  console.log(h)
})
