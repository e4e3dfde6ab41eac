import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVertex } from '@ai-sdk/google-vertex'
import { GoogleGenAI } from '@google/genai'
import { UserRefreshClient } from 'google-auth-library'
import { adapter } from '../../src/provider/adapter/vertex.ts'
import type { Account } from '../../src/provider/provider.ts'
import { adapterSuite, isMp4, settled } from '../support/adapter-suite.ts'
import { aiSdkFilm } from '../support/ai-sdk-film.ts'
import { atScriptedVendor, scriptedTask } from '../support/scripted-vendor.ts'
import { sharedSimulator } from '../support/simulator.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: 'films',
  client_email: 'kinora@films.iam.gserviceaccount.com',
  private_key: privateKey,
})
const veo = 'veo-3.1-fast-generate-001'
/** A client signs in at Google's own address only. */
const authClient = new UserRefreshClient()
authClient.setCredentials({ access_token: 'key' })

await adapterSuite({
  id: 'vertex',
  adapter,
  model: veo,
  input: (prompt, image) => ({
    instances: [{ prompt, ...(image ? { image } : {}) }],
    parameters: { durationSeconds: 4, resolution: '720p', aspectRatio: '16:9', generateAudio: true },
  }),
  apiKey: () => serviceAccount,
  without: {
    'unknown-status': 'an operation is done or not',
    cancel: 'an operation cannot be cancelled',
    find: 'only the bucket that a route names tells',
  },
  client: async (address, prompt) => {
    const baseURL = `${address}/v1/projects/films/locations/us-central1/publishers/google`
    const vertex = createVertex({ baseURL, googleAuthOptions: { authClient } })
    return aiSdkFilm({ model: vertex.video(veo), prompt, duration: 4 })
  },
})

await adapterSuite({
  id: 'vertex',
  name: 'vertex (Omni)',
  adapter,
  model: 'gemini-omni-1.2-flash',
  input: (prompt, image) => ({
    input: [{ type: 'text', text: prompt }, ...(image ? [{ type: 'image', uri: image }] : [])],
    response_format: { duration: '3s', resolution: '360p', aspect_ratio: '16:9' },
  }),
  without: { find: 'an interaction has no reference of ours' },
  client: async (address, prompt) => {
    const toAddress: typeof fetch = (input, init) => {
      const request = new Request(input, init)
      return fetch(new Request(request.url.replace('https://aiplatform.googleapis.com', address), request))
    }
    const { interactions } = new GoogleGenAI({
      vertexai: true,
      project: 'films',
      location: 'global',
      httpOptions: { fetch: toAddress, headers: { authorization: 'Bearer key' } },
    })
    const model = 'gemini-omni-1.2-flash'
    const { id } = await interactions.create({
      model,
      input: prompt,
      background: true,
      response_format: { type: 'video' },
    })
    for (;;) {
      const { status, output_video: video } = await interactions.get(id)
      if (status === 'completed') return Buffer.from(video?.data ?? '', 'base64')
      assert.match(status, /queued|in_progress/)
      await sleep(50)
    }
  },
})

test('vertex: a route with a bucket → a folder of its own, in which a lost submit is found', async () => {
  const simulator = await sharedSimulator()
  const url = `${simulator.url}/vertex/v1/projects/films/locations/europe-west4`
  const account = { id: 'vertex', url, apiKey: 'token', webhookKey: null, timeoutS: 0.6 }
  const provider = adapter.open(account)
  const input = (prompt: string) => ({
    instances: [{ prompt }],
    parameters: { durationSeconds: 4, storageUri: 'gs://films/kinora' },
  })
  const lost = scriptedTask(veo, input('A boat [hang]'))
  const folder = `gs://films/kinora/${lost.videoId}/`
  assert.equal(await provider.find?.(lost, new Date()), null)
  assert.equal((await provider.submit(lost)).kind, 'unknown')
  const found = await settled(
    async () => (await provider.find?.(lost, new Date())) ?? null,
    () => true,
  )
  assert.ok(found.kind === 'found' && found.report?.kind === 'completed')
  assert.equal(found.handle.taskId, folder)
  assert.deepEqual(await provider.poll?.(found.handle), found.report)
  const opened = await provider.openResult?.(found.handle, found.report.result)
  assert.ok(opened?.kind === 'link')
  assert.deepEqual(opened.headers, { authorization: 'Bearer token' })
  const film = await fetch(opened.url, { headers: opened.headers ?? {} })
  assert.ok(isMp4(new Uint8Array(await film.arrayBuffer())))
  await provider.close()
})

test('vertex: a token that is refused → renewed once, then our key is at fault', async () => {
  const withKey = { ...adapter, open: (account: Account) => adapter.open({ ...account, apiKey: serviceAccount }) }
  const token = (name: string) => ({ body: { access_token: name, expires_in: 3600 } })
  const refused = { status: 401, body: { error: { code: 401, message: 'The token has expired.' } } }
  const accepted = { body: { name: 'projects/films/operations/1' } }
  const task = scriptedTask(veo, { instances: [{ prompt: 'A boat' }] })
  await atScriptedVendor(withKey, [token('old'), refused, token('new'), accepted], async (provider, requests) => {
    const handle = { taskId: 'projects/films/operations/1', model: veo }
    assert.deepEqual(await provider.submit(task), { kind: 'accepted', handle })
    assert.deepEqual(
      requests.map(({ path, headers }) => [path.split('/').at(-1), headers.authorization]),
      [
        ['token', undefined],
        [`${veo}:predictLongRunning`, 'Bearer old'],
        ['token', undefined],
        [`${veo}:predictLongRunning`, 'Bearer new'],
      ],
    )
    assert.deepEqual(requests[3]?.body, { instances: [{ prompt: 'A boat' }], parameters: { sampleCount: 1 } })
  })
  const atFault = { kind: 'not_accepted', retryable: false, reason: 'HTTP 401: The token has expired.' }
  await atScriptedVendor(withKey, [token('old'), refused, token('new'), refused], async (provider) => {
    assert.deepEqual(await provider.submit(task), atFault)
  })
  const grant = { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
  await atScriptedVendor(withKey, [grant], async (provider) => {
    assert.equal((await provider.checkKey?.())?.kind, 'refused')
  })
})

test('vertex: an access token without a project → at fault, and nothing is sent', async () => {
  const account = { id: 'vertex', apiKey: 'token', webhookKey: null, timeoutS: 1 }
  const provider = adapter.open({ ...account, url: 'https://europe-west4-aiplatform.googleapis.com' })
  const outcome = await provider.submit(scriptedTask(veo, { instances: [] }))
  assert.ok(outcome.kind === 'not_accepted' && !outcome.retryable)
  assert.match(outcome.reason, /names no project/)
  await provider.close()
})

test('vertex: an operation that failed → by its code, and by its text for an argument', async () => {
  const failures: [number, string, string][] = [
    [3, 'The prompt violates the usage guidelines.', 'CONTENT_REFUSED'],
    [3, 'Unsupported output video duration 5 seconds.', 'PARAMETERS_REFUSED'],
    [7, 'Permission denied.', 'ACCOUNT'],
    [8, 'Quota exceeded.', 'PROVIDER_BUSY'],
    [13, 'Internal error.', 'PROVIDER_ERROR'],
  ]
  const replies = failures.map(([code, message]) => ({ body: { name: 'o', done: true, error: { code, message } } }))
  await atScriptedVendor(adapter, replies, async (provider) => {
    for (const [, message, code] of failures) {
      const report = await provider.poll?.({ taskId: 'o', model: veo })
      assert.deepEqual(report, { kind: 'failed', failure: { code, message } })
    }
  })
  const withheld = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['The video was withheld. Support codes: 1.'] }
  await atScriptedVendor(adapter, [{ body: { name: 'o', done: true, response: withheld } }], async (provider) => {
    const report = await provider.poll?.({ taskId: 'o', model: veo })
    assert.equal(report?.kind === 'failed' && report.failure.code, 'CONTENT_REFUSED')
  })
})
