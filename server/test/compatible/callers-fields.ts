/**
 * The errors of all compatible APIs: each names the field as its caller has sent it. By hand, for the clients show the
 * message alone.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Model } from '../../src/catalogue/model.ts'
import { modelOf, models, withModes } from '../support/changed-models.ts'
import type { Kinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { customer, PROMPT, post, videosOf } from './clients.ts'

type Format = {
  path: string
  headers?: Record<string, string>
  /** The body with changed fields. */
  body: (change: object) => object
  /** The field that an error response names. */
  fieldIn: (response: string) => unknown
  /** Changes with the field that each is refused for. */
  refused: [change: object, field: string][]
  image: (url: string) => object
}

const film = { prompt: PROMPT, model: 'delta-1-5' }
const privateUrl = 'https://127.0.0.1/a.png'

const formats: Record<string, Format> = {
  OpenAI: {
    path: '/v1/videos',
    body: (change) => ({ ...film, ...change }),
    fieldIn: (text) => JSON.parse(text).error.param,
    refused: [
      [{ aspect_ratio: '2:7' }, 'aspect_ratio'],
      [{ resolution: '480p' }, 'resolution'],
      [{ size: '10x10' }, 'size'],
      [{ input_reference: { image_url: privateUrl } }, 'input_reference'],
    ],
    image: (image) => ({ image }),
  },
  Replicate: {
    path: '/replicate/v1/models/kinora/delta-1-5/predictions',
    body: (change) => ({ input: { prompt: PROMPT, ...change } }),
    fieldIn: (text) => JSON.parse(text).invalid_fields[0].field.replace(/^input\./, ''),
    refused: [
      [{ prompt: ' ' }, 'prompt'],
      [{ duration: 99 }, 'duration'],
      [{ aspect_ratio: '2:7' }, 'aspect_ratio'],
      [{ resolution: '480p' }, 'resolution'],
      [{ image: privateUrl }, 'image'],
    ],
    image: (image) => ({ image }),
  },
  fal: {
    path: '/fal/kinora/delta-1-5',
    body: (change) => ({ prompt: PROMPT, ...change }),
    fieldIn: (text) => JSON.parse(text).detail[0].loc[1],
    refused: [
      [{ aspect_ratio: '2:7' }, 'aspect_ratio'],
      [{ resolution: '480p' }, 'resolution'],
      [{ image_url: privateUrl }, 'image_url'],
    ],
    image: (image_url) => ({ image_url }),
  },
  OpenRouter: {
    path: '/api/v1/videos',
    body: (change) => ({ ...film, ...change }),
    fieldIn: (text) => JSON.parse(text).error.metadata.details[0].path,
    refused: [
      [{ aspect_ratio: '2:7' }, 'aspect_ratio'],
      [{ resolution: '480p' }, 'resolution'],
      [{ size: '10x10' }, 'size'],
      [{ frame_images: [{ image_url: { url: privateUrl } }] }, 'frame_images'],
      [{ frame_images: [{ image_url: { url: privateUrl }, frame_type: 'last_frame' }] }, 'frame_images'],
    ],
    image: (url) => ({ frame_images: [{ image_url: { url } }] }),
  },
  'AI SDK gateway': {
    path: '/ai-gateway/video-model/start',
    headers: { 'ai-model-id': 'delta-1-5' },
    body: (change) => ({ prompt: PROMPT, ...change }),
    fieldIn: (text) => JSON.parse(text).error.param,
    refused: [
      [{ aspectRatio: '2:7' }, 'aspectRatio'],
      [{ resolution: '10x10' }, 'resolution'],
      [{ image: { type: 'url', url: privateUrl } }, 'image'],
      [{ frameImages: [{ image: { type: 'url', url: privateUrl }, frameType: 'first_frame' }] }, 'frameImages'],
      [{ callbackUrl: 'https://example.com' }, 'callbackUrl'],
    ],
    image: (url) => ({ image: { type: 'url', url } }),
  },
}

export function testCallersFields(kinora: Kinora): void {
  for (const [api, { path, headers, body, fieldIn, refused, image }] of Object.entries(formats)) {
    test(`${api}: request with a wrong value → the error names the caller’s field`, async () => {
      const ann = await customer(kinora)
      const notAnImage: [object, string, number] = [image('data:text/plain,x'), Object.keys(image(''))[0] ?? '', 415]
      const notBase64: [object, string] = [image('data:image/png;base64,!'), notAnImage[1]]
      for (const [change, field, expected = 400] of [...refused, notBase64, notAnImage]) {
        const { status, text } = await post(`${kinora.url}${path}`, ann.apiKey, body(change), headers)
        assert.deepEqual([status, fieldIn(text)], [expected, field], text)
        assert.doesNotMatch(text, /startImageUrl|"quality"|webhookUrl/)
      }
      assert.equal((await videosOf(kinora, ann)).length, 0)
    })

    test(`${api}: data URL with percent-escapes, of image/jpg, with spaces or without padding → its image`, async () => {
      const ann = await customer(kinora, 200)
      const base64 = (await images.plain(640, 360)).toString('base64')
      const escaped = encodeURIComponent(base64)
      const bytes = (await images.plain(641, 360)).toString('hex').replace(/../g, '%$&')
      const urls = [
        `data:image/jpg;base64,${escaped}`,
        `data:image/png;charset=x; base64,${base64.slice(0, 40)} ${base64.slice(40).replace(/=+$/, '')}#end`,
        `data:image/png,${bytes}`,
      ]
      for (const [n, url] of urls.entries()) {
        const { status, text } = await post(
          `${kinora.url}${path}`,
          ann.apiKey,
          body({ seed: n, ...image(url) }),
          headers,
        )
        assert.ok(status < 300, text)
      }
      const stored = (await videosOf(kinora, ann)).map(({ startImageUrl }) => startImageUrl)
      assert.deepEqual([stored.length, new Set(stored).size], [3, 2])
    })
  }

  test('OpenAI: value that the request leaves out → the model’s own; another that it does not name → no param', async () => {
    const ann = await customer(kinora, 500)
    const model = modelOf('delta-1-5')
    const create = async (changed: Model, more: object = {}) => {
      models().set('delta-1-5', changed)
      const { text } = await post(`${kinora.url}/v1/videos`, ann.apiKey, { ...film, ...more })
      models().set('delta-1-5', model)
      return JSON.parse(text)
    }
    const made = async (change: Parameters<typeof withModes>[1], more: object = {}) => {
      const { seconds, size } = await create(withModes(model, change), more)
      return [seconds, size]
    }
    assert.deepEqual(await made({ duration: [6, 5] }), ['5', '720x1280'])
    assert.deepEqual(await made({ aspectRatio: ['1:1', '16:9'] }), ['4', '720x720'])
    assert.deepEqual(await made({ quality: ['1080p'] }), ['4', '1080x1920'])
    assert.deepEqual(await made({ quality: ['1080p'] }, { aspect_ratio: '16:9' }), ['4', '1920x1080'])
    assert.equal((await create(withModes(model, {}, ['image-to-video']))).error.param, null)
  })
}
