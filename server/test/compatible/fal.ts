/** `/fal`, by fal's own package. */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import {
  type ApiError,
  type CompletedQueueStatus,
  createFalClient,
  type QueueStatus,
  ValidationError,
} from '@fal-ai/client'
import { completeVideo } from '../support/completed-video.ts'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import {
  assertFilm,
  assertRefused,
  check as checkApi,
  completeOnly,
  customer,
  finishOnly,
  type Hooks,
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

export function testFal(kinora: Kinora, hooks: Hooks): void {
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

  check('run', 'waits for the film; of one that fails ValidationError', async () => {
    const ann = await customer(kinora)
    const running = fal(kinora.url, ann.apiKey).run(MODEL, { input })
    await completeOnly(kinora, ann)
    const { data, requestId } = await running
    assert.equal(requestId, (await videosOf(kinora, ann))[0]?.id)
    const { video } = data as { video: { url: string } }
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(video.url)).arrayBuffer()))
    const bob = await customer(kinora)
    const failing = fal(kinora.url, bob.apiKey).run(MODEL, { input: { ...input, prompt: '[fail: no luck]' } })
    await Promise.all([assert.rejects(failing, failsWith(422, /no luck/)), finishOnly(kinora, bob)])
  })

  check('stream; subscribe with the mode streaming', 'each status, then the film', async () => {
    const ann = await customer(kinora)
    const stream = await fal(kinora.url, ann.apiKey).stream(MODEL, { input })
    const statuses: unknown[] = []
    stream.on('data', ({ status }: { status?: string }) => statuses.push(status))
    await completeOnly(kinora, ann)
    const { video } = (await stream.done()) as { video: { url: string } }
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(video.url)).arrayBuffer()))
    assert.equal(statuses[0], 'IN_QUEUE')

    const bob = await customer(kinora)
    const seen: string[] = []
    const subscribed = fal(kinora.url, bob.apiKey).subscribe(MODEL, {
      input,
      mode: 'streaming',
      onQueueUpdate: ({ status }) => seen.push(status),
    })
    await completeOnly(kinora, bob)
    assert.ok((await subscribed).data)
    assert.deepEqual([seen[0], seen.at(-1)], ['IN_QUEUE', 'COMPLETED'])
  })

  check('queue.status with logs', 'what has happened to the film', async () => {
    const ann = await customer(kinora)
    const { queue } = fal(kinora.url, ann.apiKey)
    const { request_id: requestId } = await queue.submit(MODEL, { input })
    await completeVideo(kinora, ann, requestId)
    const { logs } = (await queue.status(MODEL, { requestId, logs: true })) as CompletedQueueStatus
    assert.deepEqual(
      logs.map(({ message, level }) => [message, level]),
      [
        ['Requested: delta-1-5, 4 s, 16:9, 720p.', 'INFO'],
        ['A provider has accepted the task.', 'INFO'],
        ['The film is ready.', 'INFO'],
      ],
    )
    assert.deepEqual(((await queue.status(MODEL, { requestId })) as CompletedQueueStatus).logs, [])
  })

  check('storage.upload; a Blob as image_url', 'the picture begins the film', async () => {
    const ann = await customer(kinora)
    const client = fal(kinora.url, ann.apiKey)
    const png = new Blob([new Uint8Array(await images.plain(640, 360))], { type: 'image/png' })
    const image_url = await client.storage.upload(png)
    await client.queue.submit(MODEL, { input: { ...input, image_url } })
    await client.queue.submit(MODEL, { input: { ...input, image_url: png, seed: 7 } })
    const found = await videosOf(kinora, ann)
    assert.deepEqual(
      found.map(({ startImageUrl }) => startImageUrl?.startsWith(`kinora:asset/${ann.userId}/`)),
      [true, true],
    )
    const bob = await customer(kinora)
    const ofAnn = fal(kinora.url, bob.apiKey).queue.submit(MODEL, { input: { ...input, image_url } })
    await assert.rejects(ofAnn, failsWith(400, /image_url is of no upload of yours/))
    await assert.rejects(client.storage.upload(new Blob(['x'])), (error: ApiError<Body>) => error.status === 415)
    const forged = await fetch(`${kinora.url}/fal/upload/AAAA`, { method: 'PUT', body: png })
    assert.equal(forged.status, 401)
  })

  check('storage.upload whose file is put twice at once', 'one asset', async () => {
    const ann = await customer(kinora)
    const statuses: number[] = []
    const twice: typeof fetch = async (target, init) => {
      if (init?.method !== 'PUT') return fetch(target, init)
      const responses = await Promise.all([fetch(target, init), fetch(target, init)])
      statuses.push(...responses.map(({ status }) => status))
      return responses[0]
    }
    const client = fal(kinora.url, ann.apiKey, { fetch: twice })
    const png = new Blob([new Uint8Array(await images.plain(640, 360))], { type: 'image/png' })
    await client.queue.submit(MODEL, { input: { ...input, image_url: await client.storage.upload(png) } })
    const kept = await kinora.app.sql`select from kinora.asset where user_id = ${ann.userId} and state = 'kept'`
    assert.deepEqual([statuses, kept.length], [[200, 200], 1])
  })

  check('queue.submit with webhookUrl', 'the film when it is final, signed by the key of the JWKS', async () => {
    const ann = await customer(kinora)
    const { queue } = fal(kinora.url, ann.apiKey)
    const { keys } = (await (await fetch(`${kinora.url}/fal/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] }
    const send = async (prompt: string) => {
      const { request_id } = await queue.submit(MODEL, {
        input: { ...input, prompt },
        webhookUrl: hooks.receiver.url,
      })
      await kinora.finish(ann, request_id)
      const [event, ...more] = await hooks.sent()
      assert.ok(event)
      assert.deepEqual(more, [])
      const header = (name: string) => event.headers[`x-fal-webhook-${name}`] ?? ''
      const hash = createHash('sha256').update(event.body).digest('hex')
      const message = [header('request-id'), header('user-id'), header('timestamp'), hash].join('\n')
      const key = createPublicKey({ key: keys[0] as JsonWebKey, format: 'jwk' })
      assert.ok(verify(null, Buffer.from(message), key, Buffer.from(header('signature'), 'hex')))
      assert.deepEqual([header('request-id'), header('user-id')], [request_id, ann.userId])
      return { request_id, ...JSON.parse(event.body) }
    }
    const done = await send(PROMPT)
    assert.deepEqual([done.status, done.gateway_request_id], ['OK', done.request_id])
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(done.payload.video.url)).arrayBuffer()))
    const failed = await send('[fail: no luck]')
    assert.equal(failed.status, 'ERROR')
    assert.match(failed.payload.detail[0].msg, /no luck/)
    const inside = queue.submit(MODEL, { input, webhookUrl: 'https://127.0.0.1/hook' })
    await assert.rejects(inside, failsWith(400, /webhookUrl/))
  })

  check('queue.submit with startTimeout', '400: not offered, with what is', async () => {
    const ann = await customer(kinora)
    const late = fal(kinora.url, ann.apiKey).queue.submit(MODEL, { input, startTimeout: 60 })
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
