/** The media type that doStatus reports, for films of every kind that the service stores. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filmContentTypes } from '../../server/src/media/film/film.ts'
import { createKinora } from '../src/index.ts'

const uuid = '0193e7a1-aaaa-7bbb-8ccc-ddddeeeeffff'

test('doStatus: film of each extension that the service stores → its media type', async () => {
  for (const [extension, mediaType] of Object.entries(filmContentTypes)) {
    const url = `https://films.example.com/files/video/u/v.${extension}?sig=1`
    const data = { uuid, status: 'COMPLETED', creditsUsed: 16, videoUrl: url, error: null }
    const fetch = async () => Response.json({ success: true, data })
    const model = createKinora({ baseURL: 'https://films.example.com', apiKey: 'key', fetch }).videoModel('delta-1-5')
    const status = await model.doStatus?.({ operation: { uuid } })
    assert.partialDeepStrictEqual(status, { status: 'completed', videos: [{ type: 'url', url, mediaType }] })
  }
})
