/** `/v1`, by OpenAI's own package. */
import assert from 'node:assert/strict'
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError, toFile } from 'openai'
import { completeVideo } from '../support/completed-video.ts'
import { generateBody, type Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import {
  assertFilm,
  check as checkApi,
  countingFetch,
  customer,
  finishOnly,
  losingFetch,
  PROMPT,
  videosOf,
} from './clients.ts'

const body = { model: 'delta-1-5', prompt: PROMPT, seconds: '4', size: '1280x720' } as const

const openai = ({ url }: { url: string }, apiKey: string, options: object = {}) =>
  new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries: 0, ...options })

export function testOpenAi(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('OpenAI', call, result, run)

  check('videos.create, retrieve, downloadContent', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const { data, response } = await client.videos.create({ ...body }).withResponse()
    assert.equal(response.headers.get('openai-poll-after-ms'), '2000')
    const { id, created_at, ...rest } = data
    assert.ok(created_at > 1_700_000_000)
    assert.deepEqual(rest, {
      ...{ object: 'video', model: 'delta-1-5', status: 'queued', progress: 0, prompt: PROMPT, seconds: '4' },
      ...{ size: '1280x720', completed_at: null, expires_at: null, remixed_from_video_id: null, error: null },
    })
    assert.deepEqual(await client.videos.retrieve(id), data)
    await assert.rejects(client.videos.downloadContent(id), (error) => error instanceof BadRequestError)
    await finishOnly(kinora, ann)
    const { data: done, response: answer } = await client.videos.retrieve(id).withResponse()
    assert.deepEqual([done.status, done.progress, done.error], ['completed', 100, null])
    assert.ok((done.completed_at ?? 0) >= created_at)
    assert.equal(answer.headers.get('openai-poll-after-ms'), null)
    const film = await client.videos.downloadContent(id)
    assert.equal(film.headers.get('content-type'), 'video/mp4')
    await assertFilm(kinora, ann, new Uint8Array(await film.arrayBuffer()))
    const thumbnail = await client.videos.downloadContent(id, { variant: 'thumbnail' })
    assert.equal(thumbnail.headers.get('content-type'), 'image/jpeg')
    assert.deepEqual([...new Uint8Array(await thumbnail.arrayBuffer()).subarray(0, 2)], [0xff, 0xd8])
  })

  check('videos.list', 'newest first, every page by its last_id, or oldest first', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const ids: string[] = []
    for (const prompt of ['one', 'two', 'three']) ids.push((await client.videos.create({ ...body, prompt })).id)
    const listed: string[] = []
    for await (const { id } of client.videos.list({ limit: 2 })) listed.push(id)
    assert.deepEqual(listed, ids.toReversed())
    const first = await client.videos.list({ limit: 2, order: 'asc' })
    assert.deepEqual([first.data.map(({ prompt }) => prompt), first.has_more], [['one', 'two'], true])
    const bob = await customer(kinora)
    assert.deepEqual((await openai(kinora, bob.apiKey).videos.list()).data, [])
  })

  check('videos.delete', 'cancelled if it is in progress, deleted; 404 afterwards', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const { id } = await client.videos.create({ ...body })
    assert.deepEqual(await client.videos.delete(id), { id, object: 'video.deleted', deleted: true })
    await assert.rejects(client.videos.retrieve(id), (error) => error instanceof NotFoundError)
    assert.equal((await kinora.balance(ann)).available, 60)
  })

  check('videos.remix', 'a new video with the same settings and the new prompt', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const { id } = await client.videos.create({ ...body, seconds: '4' })
    const remix = await client.videos.remix(id, { prompt: 'At night' })
    assert.notEqual(remix.id, id)
    assert.deepEqual(
      [remix.prompt, remix.seconds, remix.size, remix.remixed_from_video_id],
      ['At night', '4', '1280x720', id],
    )
    assert.equal((await client.videos.retrieve(remix.id)).remixed_from_video_id, id)
    assert.equal((await client.videos.retrieve(id)).remixed_from_video_id, null)
  })

  check('videos.remix', 'a repetition that returns the source itself is no remix of itself', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const { id } = await client.videos.create({ ...body })
    const again = await client.videos.remix(
      id,
      { prompt: body.prompt },
      { headers: { 'x-stainless-retry-count': '1' } },
    )
    assert.deepEqual([again.id, again.remixed_from_video_id], [id, null])
  })

  check('videos.create with a file as input_reference', 'the film begins with the picture', async () => {
    const ann = await customer(kinora)
    const file = await toFile(await images.plain(640, 360, 'png', '#00a040'), 'boat.png', { type: 'image/png' })
    const form = { ...body, seed: '7', input_reference: file }
    const { id } = await openai(kinora, ann.apiKey).videos.create(form)
    const [video] = await videosOf(kinora, ann)
    assert.deepEqual([video?.id, video?.seed], [id, 7])
    assert.match(video?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/`))
  })

  check(
    'videos.create with image_url as input_reference',
    'a link or a data URL; private addresses are 400',
    async () => {
      const ann = await customer(kinora, 200)
      const client = openai(kinora, ann.apiKey)
      const create = (image_url: string) => client.videos.create({ ...body, input_reference: { image_url } })
      await create('https://example.com/boat.png')
      const png = await images.plain(640, 360)
      await create(`data:image/png;base64,${png.toString('base64')}`)
      const urls = (await videosOf(kinora, ann)).map(({ startImageUrl }) => startImageUrl ?? '')
      assert.equal(urls[0], 'https://example.com/boat.png')
      assert.match(urls[1] ?? '', /^kinora:asset\//)
      for (const url of [
        'http://169.254.169.254/latest',
        'https://127.0.0.1/a.png',
        'data:image/png;base64',
        'data:image/png;base64,x',
        'nothing',
      ]) {
        await assert.rejects(
          create(url),
          (error) => error instanceof BadRequestError && error.param === 'input_reference',
        )
      }
    },
  )

  check('videos.create with wrong values', 'BadRequestError that names the parameter', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const cases: [change: object, param: string, code: string][] = [
      [{ model: 'sora-2' }, 'model', 'model_not_found'],
      [{ seconds: '99' }, 'seconds', 'duration_out_of_range'],
      [{ seconds: 'four' }, 'seconds', 'duration_out_of_range'],
      [{ size: '1024x1792' }, 'size', 'unsupported_quality'],
      [{ seed: 'seven' }, 'seed', 'invalid_request'],
      [{ prompt: ' ' }, 'prompt', 'invalid_request'],
      [{ prompt: undefined }, 'prompt', 'invalid_request'],
      [{ input_reference: { file_id: 'file_1' } }, 'input_reference', 'invalid_request'],
    ]
    for (const [change, param, code] of cases) {
      await assert.rejects(client.videos.create({ ...body, ...change }), (error: unknown) => {
        assert.ok(error instanceof BadRequestError)
        assert.deepEqual([error.param, error.code, error.type], [param, code, 'invalid_request_error'])
        assert.ok(error.requestID)
        return true
      })
    }
    assert.equal((await videosOf(kinora, ann)).length, 0)
  })

  check('videos.create without credits', 'APIError 402 insufficient_quota, not retried', async () => {
    const poor = await customer(kinora, 3)
    const counted = countingFetch(kinora.url)
    const client = openai(kinora, poor.apiKey, { maxRetries: 2, fetch: counted.fetch })
    await assert.rejects(client.videos.create({ ...body }), (error: unknown) => {
      assert.ok(error instanceof APIError)
      assert.deepEqual([error.status, error.code], [402, 'insufficient_quota'])
      assert.equal(error.headers?.get('x-should-retry'), 'false')
      return true
    })
    assert.equal(counted.requests(), 1)
  })

  check('videos.create with a file that is too large', 'APIError 413, not retried', async () => {
    const ann = await customer(kinora)
    const counted = countingFetch(kinora.url)
    const client = openai(kinora, ann.apiKey, { maxRetries: 2, fetch: counted.fetch })
    // Larger than a body may be, and than what the sockets hold.
    const input_reference = await toFile(Buffer.alloc(64 * 1024 * 1024), 'boat.png', { type: 'image/png' })
    await assert.rejects(client.videos.create({ ...body, input_reference }), { status: 413, code: 'payload_too_large' })
    assert.equal(counted.requests(), 1)
  })

  check('any call with a wrong key', 'AuthenticationError invalid_api_key', async () => {
    for (const key of ['kin_wrong', 'sk-wrong']) {
      await assert.rejects(openai(kinora, key).videos.list(), (error: unknown) => {
        assert.ok(error instanceof AuthenticationError)
        assert.equal(error.code, 'invalid_api_key')
        return true
      })
    }
  })

  check('videos.retrieve of a film that failed', 'status failed, error.message; credits are back', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const { id } = await client.videos.create({ ...body, prompt: '[fail: no luck]' })
    await finishOnly(kinora, ann)
    const video = await client.videos.retrieve(id)
    assert.equal(video.status, 'failed')
    assert.match(video.error?.message ?? '', /no luck/)
    assert.equal((await kinora.balance(ann)).available, 60)
    await assert.rejects(client.videos.downloadContent(id), (error) => error instanceof NotFoundError)
  })

  check('videos.create whose response is lost', 'the retry of the package returns the same video', async () => {
    const inputs = [{}, { input_reference: { image_url: 'https://example.com/boat.png' } }]
    for (const input of inputs) {
      const ann = await customer(kinora)
      const lost = losingFetch()
      const client = openai(kinora, ann.apiKey, { maxRetries: 2, fetch: lost.fetch })
      const { id } = await client.videos.create({ ...body, ...input })
      assert.equal(lost.posts(), 2)
      assert.deepEqual(
        (await videosOf(kinora, ann)).map((video) => video.id),
        [id],
      )
      // A first attempt with the same body is a new request.
      assert.notEqual((await client.videos.create({ ...body, ...input })).id, id)
    }
  })

  check('videos.create, retried before anything arrived', 'one video', async () => {
    const ann = await customer(kinora)
    const headers = { 'x-stainless-retry-count': '1' }
    const client = openai(kinora, ann.apiKey)
    const made = await Promise.all([1, 2, 3].map(() => client.videos.create({ ...body }, { headers })))
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
    assert.equal((await videosOf(kinora, ann)).length, 1)
    // The film is not wanted any more, and the next request of it meets the same broken connection.
    const [deleted = ''] = made.map(({ id }) => id)
    await client.videos.delete(deleted)
    const again = await Promise.all([1, 2, 3].map(() => client.videos.create({ ...body }, { headers })))
    assert.equal(new Set(again.map(({ id }) => id)).size, 1)
    assert.equal((await client.videos.retrieve(again[0]?.id ?? '')).status, again[0]?.status)
  })

  check('videos.create with an Idempotency-Key', 'the same video; another body is 422', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const options = { headers: { 'Idempotency-Key': 'order-1' } }
    const { id } = await client.videos.create({ ...body }, options)
    assert.equal((await client.videos.create({ ...body }, options)).id, id)
    await assert.rejects(client.videos.create({ ...body, seconds: '8' }, options), { status: 422 })
    assert.equal((await videosOf(kinora, ann)).length, 1)
  })

  check('calls for another user’s video', 'NotFoundError', async () => {
    const [ann, eve] = [await customer(kinora), await customer(kinora)]
    const made = await kinora.generate(ann, generateBody)
    await completeVideo(kinora, ann, made.data.uuid)
    const { videos } = openai(kinora, eve.apiKey)
    const id = made.data.uuid
    for (const call of [
      () => videos.retrieve(id),
      () => videos.delete(id),
      () => videos.remix(id, { prompt: 'x' }),
      () => videos.downloadContent(id),
      () => videos.retrieve('video_none'),
    ]) {
      await assert.rejects(call(), (error) => error instanceof NotFoundError)
    }
  })

  check('models.list, models.retrieve', 'the models that can be used', async () => {
    const ann = await customer(kinora)
    const client = openai(kinora, ann.apiKey)
    const { data } = await client.models.list()
    assert.deepEqual(
      data.map(({ id }) => id),
      ['alpha-2', 'beta-3-1', 'delta-1-5'],
    )
    assert.equal((await client.models.retrieve('alpha-2')).owned_by, 'Alpha Studio')
    await assert.rejects(client.models.retrieve('none'), (error) => error instanceof NotFoundError)
  })

  check('characters', 'NotFoundError: not offered', async () => {
    const ann = await customer(kinora)
    const { videos } = openai(kinora, ann.apiKey)
    await assert.rejects(videos.getCharacter('x'), (error) => error instanceof NotFoundError)
  })
}

/** Whether a create is refused by the rate limit, as the package reports it. */
export async function openAiIsLimited(url: string, apiKey: string): Promise<void> {
  await assert.rejects(openai({ url }, apiKey).videos.create({ ...body }), (error: unknown) => {
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.code, 'rate_limit_exceeded')
    assert.ok(Number(error.headers.get('retry-after')) >= 1)
    return true
  })
}
