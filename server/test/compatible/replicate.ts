/** `/replicate/v1`, by Replicate's own package. */
import assert from 'node:assert/strict'
import Replicate, { validateWebhook } from 'replicate'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'
import type { Received } from '../support/webhook-receiver.ts'
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
  post,
  videosOf,
  withModelDisabled,
} from './clients.ts'

const MODEL = 'kinora/delta-1-5'
const input = { prompt: PROMPT, duration: 4, aspect_ratio: '16:9' }
type SchemaOfModel = {
  components: {
    schemas: { Input: { required: string[]; properties: Record<string, { enum?: unknown[]; format?: string }> } }
  }
}
const schemaOf = (version: { openapi_schema: object | null } | undefined) => version?.openapi_schema as SchemaOfModel
type ApiError = Error & { response: Response }

const replicate = (url: string, auth: string, options: object = {}) =>
  new Replicate({ auth, baseUrl: `${url}/replicate/v1`, useFileOutput: false, ...options })

const statusIs = (status: number) => (error: ApiError) => error.response?.status === status

export function testReplicate(kinora: Kinora, hooks: Hooks): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('Replicate', call, result, run)

  check('run', 'a film, from prompt to bytes', async () => {
    const ann = await customer(kinora)
    const statuses: string[] = []
    const first = Promise.withResolvers<void>()
    const running = replicate(kinora.url, ann.apiKey).run(
      MODEL,
      { input, wait: { mode: 'block', timeout: 1 } },
      (prediction) => {
        statuses.push((prediction as { status: string }).status)
        first.resolve()
      },
    )
    await first.promise
    await finishOnly(kinora, ann)
    const output = String(await running)
    assert.deepEqual([statuses[0], statuses.at(-1)], ['starting', 'succeeded'])
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(output)).arrayBuffer()))
  })

  check('predictions.create, get, cancel, list', 'a prediction, cancelled, credits back', async () => {
    const ann = await customer(kinora)
    const { predictions } = replicate(kinora.url, ann.apiKey)
    const made = await predictions.create({ model: MODEL, input })
    assert.deepEqual([made.status, made.model, made.output], ['starting', MODEL, null])
    assert.deepEqual(made.input, { ...input, resolution: '720p' })
    assert.equal((await predictions.get(made.id)).status, 'starting')
    assert.equal((await predictions.cancel(made.id)).status, 'canceled')
    assert.equal((await predictions.cancel(made.id)).status, 'canceled')
    assert.equal((await kinora.balance(ann)).available, 60)
    const other = await predictions.create({ version: MODEL, input: { ...input, prompt: 'Another boat' } })
    const { results, next } = await predictions.list()
    assert.deepEqual([results.map(({ id }) => id), next], [[other.id, made.id], null])
  })

  check('stream', 'each status, the link to the film, and that it is done', async () => {
    const ann = await customer(kinora)
    const events: string[][] = []
    const streaming = async () => {
      const stream = replicate(kinora.url, ann.apiKey).stream(MODEL, { input })
      for await (const { event, data } of stream) events.push([event, data])
    }
    const ended = streaming()
    await waitFor('the first status', () => events.length > 0)
    await completeOnly(kinora, ann)
    await ended
    const [output = '', ...more] = events.flatMap(([event, data = '']) => (event === 'output' ? [data] : []))
    assert.deepEqual(
      [events[0], events.at(-3), events.at(-1), more],
      [['status', 'starting'], ['status', 'succeeded'], ['done', '{}'], []],
    )
    await assertFilm(kinora, ann, new Uint8Array(await (await fetch(output)).arrayBuffer()))
  })

  check('stream of a film that fails, or is cancelled', 'an error with the reason; done, with the reason', async () => {
    const ann = await customer(kinora)
    const client = replicate(kinora.url, ann.apiKey)
    const read = async (prompt: string) => {
      const events: string[][] = []
      for await (const { event, data } of client.stream(MODEL, { input: { ...input, prompt } }))
        events.push([event, data])
      return events
    }
    await Promise.all([assert.rejects(read('[fail: no luck]'), /no luck/), finishOnly(kinora, ann)])
    const bob = await customer(kinora)
    const { predictions } = replicate(kinora.url, bob.apiKey)
    const { id, urls } = await predictions.create({ model: MODEL, input })
    await predictions.cancel(id)
    const text = await (await fetch(urls.stream ?? '')).text()
    assert.match(text, /event: status\ndata: canceled\n\nevent: done\ndata: {"reason":"canceled"}\n\n$/)
    assert.equal((await fetch(`${kinora.url}/replicate/v1/stream/AAAA`)).status, 401)
  })

  check('files.create, list, get, delete', 'an asset, whose link begins a film', async () => {
    const [ann, eve] = [await customer(kinora), await customer(kinora)]
    const { files, predictions } = replicate(kinora.url, ann.apiKey)
    const file = await files.create(await images.plain(640, 360))
    assert.match(file.content_type, /^image\//)
    assert.deepEqual(
      (await files.list()).results.map(({ id, size }) => [id, size]),
      [[file.id, file.size]],
    )
    await predictions.create({ model: MODEL, input: { ...input, image: (await files.get(file.id)).urls.get } })
    const [video] = await videosOf(kinora, ann)
    assert.match(video?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/${file.id}\\.`))
    await assert.rejects(replicate(kinora.url, eve.apiKey).files.delete(file.id), statusIs(404))
    assert.equal(await files.delete(file.id), true)
    assert.deepEqual((await files.list()).results, [])
    await assert.rejects(files.get(file.id), statusIs(404))
  })

  check('accounts.current', 'whose key it is', async () => {
    const ann = await customer(kinora)
    const { type, username } = await replicate(kinora.url, ann.apiKey).accounts.current()
    assert.deepEqual([type, username], ['user', ann.userId])
  })

  check(
    'models.get, versions.list, versions.get',
    'the schema of the input, by which a prediction is made',
    async () => {
      const ann = await customer(kinora)
      const client = replicate(kinora.url, ann.apiKey)
      const { latest_version: latest } = await client.models.get('kinora', 'delta-1-5')
      const { properties, required } = schemaOf(latest).components.schemas.Input
      assert.deepEqual(required, ['prompt'])
      assert.deepEqual(properties.duration?.enum, [4, 5, 6, 7, 8, 9, 10, 11, 12])
      assert.ok(properties.aspect_ratio?.enum?.includes('16:9') && properties.resolution?.enum?.includes('720p'))
      assert.equal(properties.image?.format, 'uri')
      const { results } = (await client.models.versions.list('kinora', 'delta-1-5')) as unknown as {
        results: { id: string }[]
      }
      assert.deepEqual(
        results.map(({ id }) => id),
        [latest?.id],
      )
      const version = latest?.id ?? ''
      assert.equal((await client.models.versions.get('kinora', 'delta-1-5', version)).id, version)
      await assert.rejects(client.models.versions.get('kinora', 'delta-1-5', 'none'), statusIs(404))
      assert.equal((await client.predictions.create({ version, input })).model, MODEL)
      for (const model of (await client.models.list()).results) {
        const schema = schemaOf(model.latest_version)
        assert.ok(Object.keys(schema.components.schemas.Input.properties).length > 1, model.name)
      }
    },
  )

  check('predictions.get of a film that is made, and one that failed', 'its logs', async () => {
    const ann = await customer(kinora)
    const { predictions } = replicate(kinora.url, ann.apiKey)
    const { id } = await predictions.create({ model: MODEL, input })
    await kinora.finish(ann, id)
    const { logs } = await predictions.get(id)
    assert.match(
      logs ?? '',
      /^Requested: delta-1-5, 4 s, 16:9, 720p\.\nA provider has accepted.*\nThe film is ready\.$/,
    )
    const failing = await predictions.create({ model: MODEL, input: { ...input, prompt: '[fail: no luck]' } })
    await kinora.finish(ann, failing.id)
    assert.match((await predictions.get(failing.id)).logs ?? '', /no luck/)
  })

  check('predictions.create with a Buffer as image', 'the picture is uploaded and begins the film', async () => {
    const ann = await customer(kinora)
    const { predictions } = replicate(kinora.url, ann.apiKey)
    await predictions.create({ model: MODEL, input: { ...input, image: await images.plain(640, 360) } })
    const [video] = await videosOf(kinora, ann)
    assert.match(video?.startImageUrl ?? '', new RegExp(`^kinora:asset/${ann.userId}/`))
    await predictions.create({ model: MODEL, input: { ...input, image: 'https://example.com/boat.png' } })
    assert.equal((await videosOf(kinora, ann))[1]?.startImageUrl, 'https://example.com/boat.png')
    const bad = { model: MODEL, input: { ...input, image: 'https://127.0.0.1/a.png' } }
    await assert.rejects(predictions.create(bad), statusIs(400))
  })

  check('run of a film that fails', 'an error with the reason; credits are back', async () => {
    const ann = await customer(kinora)
    const running = replicate(kinora.url, ann.apiKey).run(MODEL, { input: { ...input, prompt: '[fail: no luck]' } })
    await Promise.all([assert.rejects(running, /Prediction failed: .*no luck/), finishOnly(kinora, ann)])
    assert.equal((await kinora.balance(ann)).available, 60)
    // The same body is a new request after a failure.
    const again = await replicate(kinora.url, ann.apiKey).predictions.create({
      model: MODEL,
      input: { ...input, prompt: '[fail: no luck]' },
    })
    assert.equal(again.status, 'starting')
    assert.equal((await videosOf(kinora, ann)).length, 2)
  })

  check(
    'predictions.create whose response is lost',
    'the retry of the package returns the same prediction',
    async () => {
      const ann = await customer(kinora)
      const lost = losingFetch()
      const { predictions } = replicate(kinora.url, ann.apiKey, { fetch: lost.fetch })
      const { id } = await predictions.create({ model: MODEL, input })
      assert.equal(lost.posts(), 2)
      assert.deepEqual(
        (await videosOf(kinora, ann)).map((video) => video.id),
        [id],
      )
      // Another seed makes it another request.
      assert.notEqual((await predictions.create({ model: MODEL, input: { ...input, seed: 7 } })).id, id)
    },
  )

  check(
    'predictions.create with webhook',
    'the prediction at its start and its end; validateWebhook accepts both',
    async () => {
      const ann = await customer(kinora)
      const secret = await hooks.secretOf(ann)
      const { predictions } = replicate(kinora.url, ann.apiKey)
      const { id } = await predictions.create({ model: MODEL, input, webhook: hooks.receiver.url })
      const [started, ...none] = await hooks.sent()
      assert.deepEqual(none, [])
      assert.deepEqual(await bodyOf(started, secret, ['id', 'status', 'output']), [id, 'starting', null])
      await finishOnly(kinora, ann)
      const [done, ...more] = await hooks.sent()
      assert.deepEqual(more, [])
      const [doneId, status, output, sentInput] = await bodyOf(done, secret, ['id', 'status', 'output', 'input'])
      assert.deepEqual([doneId, status, sentInput], [id, 'succeeded', { ...input, resolution: '720p' }])
      await assertFilm(kinora, ann, new Uint8Array(await (await fetch(String(output))).arrayBuffer()))
    },
  )

  check('predictions.create with webhook_events_filter', 'start, output and completed by themselves', async () => {
    const ann = await customer(kinora)
    const secret = await hooks.secretOf(ann)
    const { predictions } = replicate(kinora.url, ann.apiKey)
    const create = async (prompt: string, filter: ('start' | 'output' | 'logs' | 'completed')[]) => {
      const made = await predictions.create({
        ...{ model: MODEL, input: { ...input, prompt }, webhook: hooks.receiver.url },
        webhook_events_filter: filter,
      })
      const started = (await hooks.sent()).length
      await kinora.finish(ann, made.id)
      const ended = await hooks.sent()
      const statuses = await Promise.all(ended.map(async (each) => (await bodyOf(each, secret, ['status']))[0]))
      return [started, statuses]
    }
    assert.deepEqual(await create('[fail: a]', ['completed']), [0, ['failed']])
    assert.deepEqual(await create('[fail: b]', ['start', 'output']), [1, []])
    assert.deepEqual(await create('[fail: c]', ['logs']), [0, []])
    assert.deepEqual(await create('A boat', ['output', 'logs']), [0, ['succeeded']])
    await assert.rejects(
      predictions.create({
        model: MODEL,
        input,
        webhook: hooks.receiver.url,
        webhook_events_filter: ['end' as 'start'],
      }),
      statusIs(400),
    )
  })

  check(
    'predictions.create with fields that are null, or not supported',
    'absent; 400 that names the field',
    async () => {
      const ann = await customer(kinora)
      const url = `${kinora.url}/replicate/v1/predictions`
      const unset = { resolution: null, image: null, seed: null, negative_prompt: null }
      const body = { version: MODEL, webhook: null, webhook_events_filter: null, stream: false }
      const { status, text } = await post(url, ann.apiKey, { ...body, input: { ...input, ...unset } })
      assert.equal(status, 201, text)
      assert.deepEqual(JSON.parse(text).input, { ...input, resolution: '720p' })
      await assertRefused(kinora, '/replicate/v1/predictions', {
        'input.last_frame_image': { ...body, input: { ...input, last_frame_image: 'https://example.com/b.png' } },
        'input.num_outputs': { ...body, input: { ...input, num_outputs: 2 } },
        webhook_completed: { ...body, input, webhook_completed: 'https://example.com/hook' },
      })
    },
  )

  check(
    'predictions.create again after the model is disabled',
    'the same prediction; another request is 400',
    async () => {
      const ann = await customer(kinora)
      const { predictions } = replicate(kinora.url, ann.apiKey)
      const made = await predictions.create({ model: MODEL, input })
      await withModelDisabled('delta-1-5', async () => {
        assert.equal((await predictions.create({ model: MODEL, input })).id, made.id)
        const another = { ...input, prompt: 'Another film' }
        await assert.rejects(predictions.create({ model: MODEL, input: another }), statusIs(400))
      })
      assert.equal((await videosOf(kinora, ann)).length, 1)
    },
  )

  check('predictions.create without credits, with wrong values, of an unknown model', '402, 400, 404', async () => {
    const poor = await customer(kinora, 3)
    const { predictions, models } = replicate(kinora.url, poor.apiKey)
    await assert.rejects(predictions.create({ model: MODEL, input }), (error: ApiError) => {
      assert.equal(error.response.status, 402)
      assert.match(error.message, /INSUFFICIENT_CREDITS/)
      return true
    })
    await assert.rejects(predictions.create({ model: MODEL, input: { ...input, duration: 99 } }), statusIs(400))
    await assert.rejects(predictions.create({ model: MODEL, input: {} }), statusIs(400))
    const webhook = 'https://127.0.0.1/hook'
    await assert.rejects(predictions.create({ model: MODEL, input, webhook }), statusIs(400))
    await assert.rejects(predictions.create({ model: 'kinora/none', input }), statusIs(404))
    await assert.rejects(models.get('other', 'delta-1-5'), statusIs(404))
    assert.equal((await models.get('kinora', 'delta-1-5')).name, 'delta-1-5')
    assert.equal((await videosOf(kinora, poor)).length, 0)
  })

  check('any call with a wrong key, or for another user’s prediction', '401, 404', async () => {
    const [ann, eve] = [await customer(kinora), await customer(kinora)]
    await assert.rejects(replicate(kinora.url, 'kin_wrong').predictions.list(), statusIs(401))
    const { id } = await replicate(kinora.url, ann.apiKey).predictions.create({ model: MODEL, input })
    const { predictions } = replicate(kinora.url, eve.apiKey)
    await assert.rejects(predictions.get(id), statusIs(404))
    await assert.rejects(predictions.cancel(id), statusIs(404))
  })
}

/** The fields of a webhook's prediction, once the package has accepted its signature. */
async function bodyOf(sent: Received | undefined, secret: string, fields: string[]): Promise<unknown[]> {
  assert.ok(sent)
  const { headers, body } = sent
  assert.ok(await validateWebhook(new Request(hooksUrl, { method: 'POST', headers, body }), secret))
  const prediction = JSON.parse(body) as Record<string, unknown>
  return fields.map((field) => prediction[field])
}
const hooksUrl = 'https://example.com/hook'

/** Whether a create is refused by the rate limit. */
export async function replicateIsLimited(url: string, apiKey: string): Promise<void> {
  await assert.rejects(replicate(url, apiKey).predictions.create({ model: MODEL, input }), statusIs(429))
}
