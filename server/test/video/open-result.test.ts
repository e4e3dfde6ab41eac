/** Results that the provider opens: bytes, a keyed or renewed link, a film that is gone; on its own host. */
import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import type { Provider } from '../../src/provider/provider.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora } from '../support/harness.ts'
import { providersWith } from '../support/providers-with.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { uploadingVideos } from '../support/uploading-video.ts'
import { readRow, runNextStep, runUntilFinal } from '../support/video-row.ts'

const provider = await startScriptedProvider()
// No host is allowed but the one of PROVIDER_A_URL.
const kinora = await openKinora({ env: { ...provider.env, FETCH_ALLOW: '' } })
const { app } = kinora
const { createUploadingVideo, assertPaid, assertFailed } = uploadingVideos(kinora, provider)
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

type OpenResult = NonNullable<Provider['openResult']>
/** A video whose film is opened by these answers in turn, the last one again and again. */
async function videoOpenedBy(t: TestContext, ...answers: Awaited<ReturnType<OpenResult>>[]) {
  const asked: string[] = []
  const openResult: OpenResult = async ({ taskId }, result) => {
    asked.push(`${taskId} ${result}`)
    return answers[Math.min(asked.length, answers.length) - 1] ?? null
  }
  providersWith(t, app, { openResult })
  const video = await createUploadingVideo()
  const taskId = (await readRow(kinora, video.uuid)).providerTaskId
  return { ...video, asked, question: `${taskId} ${provider.filmUrl}` }
}
const filmBytes = async () => {
  const film = await provider.onFilm()
  return Buffer.isBuffer(film) ? film : assert.fail()
}

test('result: film on the origin of the account’s own URL: private, and on no allowlist → collected', async () => {
  const video = await createUploadingVideo()
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

test('result: film on another private host → refused', async (t) => {
  const other = await startScriptedProvider()
  t.after(() => other.close())
  const video = await videoOpenedBy(t, { kind: 'link', url: other.filmUrl })
  await runUntilFinal(kinora, video.uuid)
  await assertFailed(video, /is not an address on the public Internet/)
})

test('result: film as bytes → collected; more than is allowed → FAILED', async (t) => {
  const video = await videoOpenedBy(t, { kind: 'bytes', bytes: await filmBytes() })
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
  assert.deepEqual([video.asked, provider.fetches], [[video.question], 0])
  const large = await videoOpenedBy(t, { kind: 'bytes', bytes: Buffer.alloc(1000) })
  const { filmBytesMax } = app.config
  app.config.filmBytesMax = 999
  await runUntilFinal(kinora, large.uuid)
  app.config.filmBytesMax = filmBytesMax
  await assertFailed(large, /The film is larger than 999 bytes/)
})

test('result: film behind our key → the key is sent with the account’s own headers for this origin', async (t) => {
  const headers: unknown[] = []
  provider.onFilm = ((film) => (_query, sent) => {
    headers.push([sent?.authorization, sent?.['x-tenant']])
    return film
  })(await filmBytes())
  const video = await videoOpenedBy(t, {
    kind: 'link',
    url: provider.filmUrl,
    headers: { authorization: 'Bearer key' },
  })
  const others = { 'https://films.example': { authorization: 'of another host' } }
  providersWith(t, app, { resultHeaders: { ...others, [new URL(provider.filmUrl).origin]: { 'x-tenant': 'kinora' } } })
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
  assert.deepEqual(headers, [['Bearer key', 'kinora']])
})

test('result: link that has expired, a provider without an answer → asked again, with a renewed link COMPLETED', async (t) => {
  const film = await filmBytes()
  provider.onFilm = (query) => (query === '?old' ? { status: 403 } : film)
  const old = { kind: 'link', url: `${provider.filmUrl}?old` } as const
  const video = await videoOpenedBy(t, null, old, { kind: 'link', url: `${provider.filmUrl}?new` })
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
  assert.deepEqual(video.asked, Array(3).fill(video.question))
})

test('result: account without settings, and not a link → waits until the account is back', async (t) => {
  const { providers } = app
  const video = await videoOpenedBy(t, { kind: 'bytes', bytes: await filmBytes() })
  const opened = app.providers
  await app.sql`update kinora.video set result_url = 'inline' where id = ${video.uuid}`
  app.providers = { ...providers, has: () => false, open: async () => null }
  t.after(() => {
    app.providers = providers
  })
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  app.providers = opened
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

test('result: film that is gone → FAILED at once with the provider’s reason', async (t) => {
  const failure = {
    code: 'FILM_UNREACHABLE',
    message: 'The provider keeps films for an hour, and this one is older.',
  } as const
  const video = await videoOpenedBy(t, { kind: 'gone', failure })
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'FAILED')
  await assertFailed(video, /^The provider keeps films for an hour/)
})
