/** `GET /api/v1/account/export`: everything that is stored about the caller, as a streamed ZIP. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import http from 'node:http'
import { afterEach, test } from 'node:test'
import { completeVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA } from '../support/payment/payment-events.ts'
import { openProjects } from '../support/projects.ts'
import { unzip } from '../support/unzip.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true, env: paymentEnv })
const { app } = kinora
const { storage } = app
const read = storage.read
afterEach(() => {
  storage.read = read
})

const download = (as: Person) =>
  fetch(`${kinora.url}/api/v1/account/export`, { headers: { authorization: `Bearer ${as.token}` } })

async function exportOf(as: Person) {
  const response = await download(as)
  assert.equal(response.status, 200)
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  return { response, files, json: (name: string) => JSON.parse(files.get(`${name}.json`)?.toString() ?? 'null') }
}

async function userWithFilm() {
  const ann = await kinora.person()
  const body = await plain(640, 360)
  const image = await kinora.call<{ url: string }>('POST', '/api/v1/video/image', {
    as: ann,
    body,
    headers: { 'content-type': 'image/png' },
  })
  const { data } = await kinora.generate(ann, { startImageUrl: image.data.url, prompt: 'A paper boat, “großes Meer”' })
  await completeVideo(kinora, ann, data.uuid)
  const folder = await kinora.call<{ id: string }>('POST', '/api/v1/video/folders', {
    as: ann,
    body: { name: 'Boats' },
  })
  const change = { uuids: [data.uuid], folderId: folder.data.id }
  await kinora.call('POST', '/api/v1/video/arrange', { as: ann, body: change })
  await openProjects(kinora).make(ann, ['A boat on paper'])
  return { ann, uuid: data.uuid }
}

test('200: film, start image, purchase, key → rows as JSON without secrets, and the files byte for byte', async () => {
  const { ann, uuid } = await userWithFilm()
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(ann.userId)))
  await kinora.call('POST', '/api/auth/api-key/create', {
    as: ann,
    body: { name: 'render farm' },
    headers: { origin: kinora.url },
  })
  kinora.app.config.consent = { text: 'They all agreed.', version: 'one' }
  await kinora.call('PUT', '/api/v1/video/consent', { as: ann, body: { version: 'one' } })
  const { response, files, json } = await exportOf(ann)
  assert.equal(response.headers.get('content-type'), 'application/zip')
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="kinora-[\d-]+\.zip"$/)
  const account = json('account')
  assert.equal(account.user.email, ann.email)
  assert.deepEqual(
    account.apiKeys.map(({ name }: { name: string }) => name),
    ['render farm'],
  )
  assert.equal(account.sessions.length, 1)
  assert.equal(account.consents[0].text, 'They all agreed.')
  assert.equal(account.credits.available, 60 - 16 + 280)
  assert.equal(json('history').length, 3)
  assert.ok(json('payments').length > 0)
  assert.equal(JSON.parse(json('payment-events')[0].body).eventType, 'checkout.completed')
  assert.equal(json('audit')[0].action, 'credits.add')
  const [video] = json('videos')
  assert.equal(video.prompt, 'A paper boat, “großes Meer”')
  assert.deepEqual(json('folders'), [{ ...json('folders')[0], id: video.folderId, name: 'Boats' }])
  const [project] = json('projects')
  assert.deepEqual([project.name, project.shots[0].settings.prompt], ['The lighthouse', 'A boat on paper'])
  assert.deepEqual([video.file, video.thumbnail], [`videos/${uuid}.mp4`, `videos/${uuid}.jpg`])
  const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const film = Buffer.from(await (await fetch(data.videoUrl)).arrayBuffer())
  assert.ok(files.get(video.file)?.equals(film))
  assert.ok((files.get(json('assets')[0].file)?.length ?? 0) > 100)
  const text = [...files].filter(([name]) => name.endsWith('.json')).join()
  assert.ok(!text.includes(ann.token))
})

test('200: name that an administrator changed → both names, which the audit log has', async () => {
  const [admin, ann] = [await kinora.person({ role: 'admin' }), await kinora.person({ credits: 0 })]
  await app.sql`update public."user" set name = 'Ann Smith' where id = ${ann.userId}`
  const body = { userId: ann.userId, data: { name: 'Ann Jones' } }
  await kinora.call('POST', '/api/auth/admin/update-user', { as: admin, body, headers: { origin: kinora.url } })
  const { json } = await exportOf(ann)
  const [{ action, before, after }] = json('audit')
  assert.deepEqual([action, before, after], ['user.update', { name: 'Ann Smith' }, { name: 'Ann Jones' }])
  assert.ok(!JSON.stringify(await exportOf(admin).then((own) => own.json('audit'))).includes('Ann'))
})

test('200: another user’s rows and files → not in the export', async () => {
  const { ann, uuid } = await userWithFilm()
  const { files } = await exportOf(await kinora.person())
  const all = [...files].join()
  for (const foreign of [ann.userId, ann.email, uuid]) assert.ok(!all.includes(foreign), foreign)
})

test('200: more rows than a page → each once, in order', async () => {
  const ann = await kinora.person({ credits: 0 })
  await app.sql`
    insert into kinora.payment_object (processor, external_id, user_id)
    select 'payment-a', 'many_' || lpad(n::text, 5, '0'), ${ann.userId} from generate_series(1, 1203) as n
  `
  const { json } = await exportOf(ann)
  const ids = json('payments').map(({ externalId }: { externalId: string }) => externalId)
  assert.equal(new Set(ids).size, 1203)
  assert.deepEqual(ids, ids.toSorted())
})

test('200: file that is missing from storage → left out and named', async () => {
  const { ann, uuid } = await userWithFilm()
  const [row] = await app.sql<{ videoKey: string }[]>`select video_key from kinora.video where id = ${uuid}`
  await rm(`${app.config.dataDir}/files/${row?.videoKey}`)
  const { files, json } = await exportOf(ann)
  assert.deepEqual(json('missing-files'), [`videos/${uuid}.mp4`])
  assert.ok(files.has(`videos/${uuid}.jpg`))
})

test('200: file that cannot be read to its end → the download breaks off instead of ending as whole', async () => {
  const { ann } = await userWithFilm()
  storage.read = async () =>
    (async function* () {
      yield Buffer.from('half of a film')
      throw new Error('the storage went away')
    })()
  const response = await download(ann)
  await assert.rejects(response.arrayBuffer())
  storage.read = read
  await waitFor('the lease to be released', async () => (await download(ann).then(cancelled)) === 200)
})

const cancelled = async (response: Response) => {
  await response.body?.cancel()
  return response.status
}

test('429: second export while one is running → refused; client disconnects → the next one starts', async () => {
  const { ann } = await userWithFilm()
  let chunks = 0
  let isAborted = false
  storage.read = async (_key, signal) =>
    (async function* () {
      signal.addEventListener('abort', () => {
        isAborted = true
      })
      for (; !signal.aborted; chunks++) {
        yield Buffer.alloc(1024 * 1024)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
  // A client that reads the head of the response only.
  const request = http.get(`${kinora.url}/api/v1/account/export`, {
    agent: false,
    headers: { authorization: `Bearer ${ann.token}` },
  })
  const response = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve))
  response.pause()
  await waitFor('the film to be read', () => chunks > 0)
  const second = await kinora.call('GET', '/api/v1/account/export', { as: ann })
  assert.equal(second.status, 429)
  assert.equal(second.error?.code, 'RATE_LIMITED')
  assert.ok(Number(second.headers.get('retry-after')) > 0)
  assert.equal(await cancelled(await download(await kinora.person())), 200)
  // Back pressure: the socket's buffers take some megabytes, and then no further chunk is read.
  let before = -1
  await waitFor(
    'the reading to pause',
    async () => {
      const isPaused = chunks === before
      before = chunks
      return isPaused
    },
    { intervalMs: 500 },
  )
  assert.ok(chunks < 100, `${chunks} MB were read ahead`)
  response.destroy()
  await waitFor('the reading to end', () => isAborted)
  storage.read = read
  await waitFor('the lease to be released', async () => (await download(ann).then(cancelled)) === 200)
})

test('200: export read to its end, then the next one at once, ten times → none is refused', async () => {
  const ann = await kinora.person()
  for (let count = 0; count < 10; count += 1) {
    const response = await download(ann)
    await response.arrayBuffer()
    assert.equal(response.status, 200)
  }
})

test('200: stalled export → its lease ends after two minutes, and another one may start', async () => {
  const ann = await kinora.person()
  const leaseUntil = new Date(app.now().getTime() + 120_000)
  await app.sql`
    insert into kinora.account_export (user_id, lease_id, lease_until)
    values (${ann.userId}, ${ann.userId}, ${leaseUntil})
  `
  assert.equal((await kinora.call('GET', '/api/v1/account/export', { as: ann })).status, 429)
  kinora.turnClock(120_000)
  assert.equal((await exportOf(ann)).json('account').user.email, ann.email)
})

test('401: no credential → no export', async () => {
  assert.equal((await kinora.call('GET', '/api/v1/account/export')).status, 401)
})
