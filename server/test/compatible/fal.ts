/** `/fal`, by fal's own package. */
import assert from 'node:assert/strict'
import { type ApiError, createFalClient, type QueueStatus, ValidationError } from '@fal-ai/client'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import {
  assertFilm,
  assertRefused,
  check as checkApi,
  customer,
  finishOnly,
  losingFetch,
  PROMPT,
  videosOf,
  withModelDisabled,
} from './clients.ts'

const MODEL = 'kinora/delta-1-5'
const input = { prompt: PROMPT, duration: '4', aspect_ratio: '16:9' }

const fal = (url: string, credentials: string, options: object = {}) =>
  createFalClient({ credentials, proxyUrl: { url: `${url}/fal`, when: 'always' }, ...options })

type Body = { message: string; detail: unknown }
const failsWith = (status: number, message: RegExp) => (error: ApiError<Body>) => {
  assert.equal(error.status, status)
  assert.match(error.message, message)
  return true
}

export function testFal(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('fal', call, result, run)

  check('subscribe', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const statuses: QueueStatus[] = []
    const queued = Promise.withResolvers<void>()
    const subscribed = fal(kinora.url, ann.apiKey).subscribe(MODEL, {
      input,
      logs: true,
      pollInterval: 50,
      onQueueUpdate: (status) => {
        statuses.push(status)
        queued.resolve()
      },
    })
    await queued.promise
    await finishOnly(kinora, ann)
    const { data, requestId } = await subscribed
    const { video } = data as { video: { url: string; content_type: string } }
    assert.equal(video.content_type, 'video/mp4')
    assert.deepEqual(
      (await videosOf(kinora, ann)).map(({ id }) => id),
      [requestId],
    )
    assert.deepEqual([statuses[0]?.status, statuses.at(-1)?.status], ['IN_QUEUE', 'COMPLETED'])
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(video.url)).arrayBuffer()))
  })

  check('queue.submit, status, result, cancel', 'a request, cancelled, credits back', async () => {
    const ann = await customer(kinora)
    const { queue } = fal(kinora.url, ann.apiKey)
    const { request_id: requestId, status, status_url } = await queue.submit(MODEL, { input })
    assert.equal(status, 'IN_QUEUE')
    assert.equal((await queue.status(MODEL, { requestId })).status, 'IN_QUEUE')
    const headers = { authorization: `Key ${ann.apiKey}` }
    const byLink = await fetch(new URL(new URL(status_url).pathname, kinora.url), { headers })
    assert.equal(((await byLink.json()) as QueueStatus).request_id, requestId)
    await assert.rejects(queue.result(MODEL, { requestId }), failsWith(400, /not ready/))
    await queue.cancel(MODEL, { requestId })
    assert.equal((await queue.status(MODEL, { requestId })).status, 'COMPLETED')
    await assert.rejects(queue.result(MODEL, { requestId }), failsWith(422, /^Cancelled/))
    assert.equal((await kinora.balance(ann)).available, 60)
  })

  check('queue.submit with image_url', 'a link or a data URL begins the film; private addresses are 400', async () => {
    const ann = await customer(kinora)
    const { queue } = fal(kinora.url, ann.apiKey)
    const image_url = `data:image/png;base64,${(await images.plain(640, 360)).toString('base64')}`
    await queue.submit(MODEL, { input: { ...input, image_url } })
    const [video] = await videosOf(kinora, ann)
    assert.match(video?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/`))
    await queue.submit(MODEL, { input: { ...input, image_url: 'https://example.com/boat.png' } })
    assert.equal((await videosOf(kinora, ann))[1]?.startImageUrl, 'https://example.com/boat.png')
    const wrong = { ...input, image_url: 'https://127.0.0.1/a.png' }
    await assert.rejects(queue.submit(MODEL, { input: wrong }), failsWith(400, /image_url/))
  })

  check('queue.submit with fields that are null, or not supported', 'absent; 400 that names the field', async () => {
    const ann = await customer(kinora)
    const unset = { resolution: null, image_url: null, seed: null, negative_prompt: null }
    await fal(kinora.url, ann.apiKey).queue.submit(MODEL, { input: { ...input, ...unset } })
    await assertRefused(kinora, `/fal/${MODEL}`, {
      enable_safety_checker: { ...input, enable_safety_checker: false },
      tail_image_url: { ...input, tail_image_url: 'https://example.com/b.png' },
    })
  })

  check('subscribe to a film that fails', 'ValidationError with the reason; credits are back', async () => {
    const ann = await customer(kinora)
    const running = fal(kinora.url, ann.apiKey).subscribe(MODEL, {
      input: { ...input, prompt: '[fail: no luck]' },
      pollInterval: 50,
    })
    const fails = (error: unknown) => {
      assert.ok(error instanceof ValidationError)
      assert.equal(error.status, 422)
      assert.match(error.message, /no luck/)
      assert.match(String(error.fieldErrors[0]?.msg), /no luck/)
      return true
    }
    await Promise.all([assert.rejects(running, fails), finishOnly(kinora, ann)])
    assert.equal((await kinora.balance(ann)).available, 60)
  })

  check('queue.submit whose response is lost', 'the retry of the package returns the same request', async () => {
    const ann = await customer(kinora)
    const lost = losingFetch()
    const { queue } = fal(kinora.url, ann.apiKey, { fetch: lost.fetch })
    const { request_id } = await queue.submit(MODEL, { input })
    assert.equal(lost.posts(), 2)
    assert.deepEqual(
      (await videosOf(kinora, ann)).map(({ id }) => id),
      [request_id],
    )
    assert.notEqual((await queue.submit(MODEL, { input: { ...input, seed: 7 } })).request_id, request_id)
  })

  check(
    'status, cancel and a lost response after the model is disabled',
    'as before; new requests are 400',
    async () => {
      const ann = await customer(kinora)
      const { queue } = fal(kinora.url, ann.apiKey)
      const { request_id: requestId } = await queue.submit(MODEL, { input })
      await withModelDisabled('delta-1-5', async () => {
        assert.equal((await queue.status(MODEL, { requestId })).status, 'IN_QUEUE')
        assert.equal((await queue.submit(MODEL, { input })).request_id, requestId)
        const another = { ...input, prompt: 'Another film' }
        await assert.rejects(queue.submit(MODEL, { input: another }), failsWith(400, /currently unavailable/))
        await queue.cancel(MODEL, { requestId })
        await assert.rejects(queue.result(MODEL, { requestId }), failsWith(422, /^Cancelled/))
      })
      assert.equal((await kinora.balance(ann)).available, 60)
    },
  )

  check('queue.submit without credits, with wrong values, of an unknown model', '402, 400, 404', async () => {
    const poor = await customer(kinora, 3)
    const { queue } = fal(kinora.url, poor.apiKey)
    await assert.rejects(queue.submit(MODEL, { input }), failsWith(402, /16 credits/))
    await assert.rejects(queue.submit(MODEL, { input: { ...input, duration: 99 } }), failsWith(400, /4 to 12/))
    await assert.rejects(queue.submit(MODEL, { input: { ...input, duration: 'long' } }), failsWith(400, /duration/))
    for (const unknown of ['other/model', 'kinora/none']) {
      await assert.rejects(queue.submit(unknown, { input }), failsWith(404, /kinora\/delta-1-5/))
    }
    assert.equal((await videosOf(kinora, poor)).length, 0)
  })

  check('run, stream, storage.upload, queue.submit with webhookUrl', '400: not offered, with what is', async () => {
    const ann = await customer(kinora)
    const client = fal(kinora.url, ann.apiKey)
    await assert.rejects(client.run(MODEL, { input }), failsWith(400, /subscribe or queue\.submit/))
    const webhookUrl = 'https://example.com/hook'
    await assert.rejects(client.queue.submit(MODEL, { input, webhookUrl }), failsWith(400, /webhookUrl/))
    await assert.rejects(client.storage.upload(new Blob(['x'])), failsWith(400, /a data URL or a link/))
    // Not `client.stream`: what the package fetches then, it leaves unhandled when it is refused.
    for (const [method, path] of [
      ['POST', 'fal.run/kinora/delta-1-5/stream'],
      ['GET', `queue.fal.run/${MODEL}/requests/${crypto.randomUUID()}/status/stream`],
    ] as const) {
      const response = await fetch(`${kinora.url}/fal`, {
        method,
        headers: {
          ...{ authorization: `Key ${ann.apiKey}`, 'content-type': 'application/json' },
          'x-fal-target-url': `https://${path}`,
        },
        ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
      })
      assert.equal(response.status, 400)
      assert.match(await response.text(), /subscribe .*mode polling/)
    }
    const late = client.queue.submit(MODEL, { input, startTimeout: 60 })
    await assert.rejects(late, failsWith(400, /startTimeout/))
    assert.equal((await videosOf(kinora, ann)).length, 0)
  })

  check('any call with a wrong key, or for another user’s request', '401, 404', async () => {
    const [ann, eve] = [await customer(kinora), await customer(kinora)]
    // The scheme `Key` counts for an API key only.
    for (const key of ['kin_wrong', ann.token]) {
      await assert.rejects(fal(kinora.url, key).queue.submit(MODEL, { input }), failsWith(401, /API key/))
    }
    const { request_id: requestId } = await fal(kinora.url, ann.apiKey).queue.submit(MODEL, { input })
    const { queue } = fal(kinora.url, eve.apiKey)
    await assert.rejects(queue.status(MODEL, { requestId }), failsWith(404, /no such video/))
    await assert.rejects(queue.cancel(MODEL, { requestId }), failsWith(404, /no such video/))
  })
}

/** Whether a submit is refused by the rate limit. The package sends it again after seconds, up to three times. */
export async function falIsLimited(url: string, apiKey: string): Promise<void> {
  const abort = new AbortController()
  const aborting: typeof fetch = async (target, init) => {
    const response = await fetch(target, init)
    const body = await response.text()
    abort.abort()
    return new Response(body, response)
  }
  const { queue } = fal(url, apiKey, { fetch: aborting })
  const submitted = queue.submit(MODEL, { input, abortSignal: abort.signal })
  await assert.rejects(submitted, (error: { status?: number; name: string }) => error.status === 429)
}
