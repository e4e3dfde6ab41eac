/** Shares: the public link of a film, its page, its files, and what ends it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'

const studioDir = await mkdtemp(path.join(tmpdir(), 'kinora-studio-'))
after(() => rm(studioDir, { recursive: true }))
await writeFile(
  path.join(studioDir, 'index.html'),
  `<!doctype html><head><title>Kinora</title></head><div id="app"></div>
<script id="pages">{"pages":[{"path":"^/share/.","kind":"public","reads":["/api/v1/share/:last"]}]}</script><script id="reads"></script>`,
)
const kinora = await openKinora({ simulator: true, env: { STUDIO_DIR: studioDir } })
const ann = await kinora.person({ credits: 200 })
const bob = await kinora.person()

type Share = { url: string; showsPrompt: boolean; allowsDownload: boolean }
type Film = { prompt: string | null; allowsDownload: boolean; videoUrl: string; thumbnailUrl: string }

const shareOf = (as: Person, uuid: string) =>
  kinora.call<{ share: Share | null }>('GET', `/api/v1/video/${uuid}/share`, { as })
const share = async (as: Person, uuid: string, body = {}): Promise<Share> => {
  const { status, data } = await kinora.call<{ share: Share }>('PUT', `/api/v1/video/${uuid}/share`, { as, body })
  assert.equal(status, 200)
  return data.share
}
const tokenOf = ({ url }: Share) => url.split('/').at(-1) ?? ''
const film = ({ url }: Share) => kinora.call<Film>('GET', `/api/v1/share/${url.split('/').at(-1)}`)

/** The statuses of the page, of its data and of both files. */
async function statusesOf(shared: Share): Promise<number[]> {
  const page = `${kinora.url}/share/${tokenOf(shared)}`
  const files = [page, `${page}/film.mp4`, `${page}/thumbnail.jpg`].map((url) => fetch(url))
  const replies = await Promise.all(files)
  for (const reply of replies) await reply.body?.cancel()
  return [(await film(shared)).status, ...replies.map(({ status }) => status)]
}

test('200: film shared → data, page and files without a credential, and nothing of the account', async () => {
  const uuid = await completedVideo(kinora, ann, { prompt: 'My secret garden' })
  assert.equal((await shareOf(ann, uuid)).data.share, null)
  const shared = await share(ann, uuid)
  assert.match(shared.url, new RegExp(`^${kinora.url}/share/[\\w-]{80}$`))
  assert.deepEqual((await shareOf(ann, uuid)).data.share, { ...shared })
  assert.deepEqual(await share(ann, uuid), shared)
  assert.deepEqual(await statusesOf(shared), [200, 200, 200, 200])

  const { data, text } = await film(shared)
  const own = await kinora.call<{ completedAt: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.deepEqual(data, {
    completedAt: own.data.completedAt,
    sha256: null,
    prompt: null,
    allowsDownload: false,
    model: 'delta-1-5',
    duration: 4,
    aspectRatio: '16:9',
    videoUrl: `${shared.url}/film.mp4`,
    thumbnailUrl: `${shared.url}/thumbnail.jpg`,
  })
  const page = await fetch(shared.url, { headers: { accept: '*/*' } })
  const html = await page.text()
  let filled = html
  for (const secret of [ann.userId, ann.email, uuid, 'secret garden'])
    assert.ok(!`${shared.url}${text}${html}`.includes(secret), secret)
  assert.match(html, /<title>A film made with Kinora · Kinora<\/title>/)
  assert.match(html, /<meta property="og:description" content="Made by AI \(Delta 1\.5\), 4 s, 16:9">/)
  assert.match(html, /<div id="app">/)
  // It has no data that took longer than the page waits for.
  while (!filled.includes('/api/v1/share/')) filled = await (await fetch(shared.url)).text()
  assert.ok(filled.includes(`id="reads">{"reads":{"/api/v1/share/${tokenOf(shared)}":${text}}}</script>`))
  assert.ok(html.includes(`<meta property="og:image" content="${shared.url}/thumbnail.jpg">`))
  assert.ok(html.includes(`<meta property="og:video" content="${shared.url}/film.mp4">`))
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/)
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  const part = await fetch(data.videoUrl, { headers: { range: 'bytes=0-3' } })
  assert.deepEqual([part.status, part.headers.get('content-type')], [206, 'video/mp4'])
  assert.equal((await part.arrayBuffer()).byteLength, 4)
})

test('200: prompt shown → in the data and escaped in the page’s head; hidden again by the next share', async () => {
  const prompt = `"><script>alert(1)</script> $& it's`
  const uuid = await completedVideo(kinora, ann, { prompt })
  const shared = await share(ann, uuid, { showsPrompt: true })
  assert.equal((await film(shared)).data.prompt, prompt)
  const html = await (await fetch(shared.url)).text()
  assert.ok(!html.includes('<script>'))
  assert.ok(html.includes('&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62; $&#38; it&#39;s'))
  assert.equal((await share(ann, uuid)).url, shared.url)
  assert.equal((await film(shared)).data.prompt, null)
})

test('200: download allowed → the data says so, and the file has the prompt for a name only where that is shown', async () => {
  const uuid = await completedVideo(kinora, ann, { prompt: 'My garden' })
  const shared = await share(ann, uuid)
  const nameOf = async () => {
    const response = await fetch(`${shared.url}/film.mp4?download`, { method: 'HEAD' })
    return response.headers.get('content-disposition')
  }
  assert.equal((await share(ann, uuid, { allowsDownload: true })).allowsDownload, true)
  assert.equal((await film(shared)).data.allowsDownload, true)
  assert.match((await nameOf()) ?? '', /^attachment; filename="kinora-\w{8}\.mp4"$/)
  await share(ann, uuid, { allowsDownload: true, showsPrompt: true })
  assert.equal(await nameOf(), 'attachment; filename="My garden.mp4"')
})

test('404: share revoked → page, data and files stop at once, and the next share has another link', async () => {
  const uuid = await completedVideo(kinora, ann)
  const shared = await share(ann, uuid)
  for (const _again of [1, 2]) {
    const revoked = await kinora.call('DELETE', `/api/v1/video/${uuid}/share`, { as: ann })
    assert.deepEqual([revoked.status, revoked.data], [200, { share: null }])
  }
  assert.deepEqual(await statusesOf(shared), [404, 404, 404, 404])
  const next = await share(ann, uuid)
  assert.notEqual(next.url, shared.url)
  assert.deepEqual(await statusesOf(shared), [404, 404, 404, 404])
  assert.deepEqual(await statusesOf(next), [200, 200, 200, 200])
})

test('404: video deleted, user locked or account deleted → the link stops at once', async () => {
  const [deleted, kept] = [await completedVideo(kinora, ann), await completedVideo(kinora, bob)]
  const [first, second] = [await share(ann, deleted), await share(bob, kept)]
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${deleted}`, { as: ann })).status, 200)
  assert.deepEqual(await statusesOf(first), [404, 404, 404, 404])

  const lock = (banned: boolean) => kinora.app.sql`update "user" set banned = ${banned} where id = ${bob.userId}`
  await lock(true)
  assert.deepEqual(await statusesOf(second), [404, 404, 404, 404])
  await lock(false)
  assert.deepEqual(await statusesOf(second), [200, 200, 200, 200])
  const root = await kinora.person({ role: 'admin' })
  const deletion = { as: root, body: { reason: 'Asked for it by e-mail' } }
  assert.equal((await kinora.call('DELETE', `/api/v1/admin/users/${bob.userId}`, deletion)).status, 200)
  assert.deepEqual(await statusesOf(second), [404, 404, 404, 404])
  assert.equal((await kinora.app.sql`select from kinora.video_share where user_id = ${bob.userId}`).length, 0)
})

test('404, 409: another user’s, unknown or malformed uuid, and a film that is not there yet → no share', async () => {
  const owner = await kinora.person()
  const uuid = await completedVideo(kinora, owner)
  const shared = await share(owner, uuid)
  for (const each of [uuid, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: {} } : {}
      const { status } = await kinora.call(method, `/api/v1/video/${each}/share`, { as: ann, ...body })
      assert.equal(status, 404, `${method} ${each}`)
    }
  }
  assert.deepEqual(await statusesOf(shared), [200, 200, 200, 200])
  const { data } = await kinora.generate(owner)
  const pending = await kinora.call('PUT', `/api/v1/video/${data.uuid}/share`, { as: owner, body: {} })
  assert.deepEqual([pending.status, pending.error?.message], [409, 'Only a completed film can be shared.'])
})

test('404, 429: changed token → refused without a row being read, and limited by address', async () => {
  const owner = await kinora.person()
  const shared = await share(owner, await completedVideo(kinora, owner))
  const token = tokenOf(shared)
  for (let at = 0; at < token.length; at += 7) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    assert.equal((await fetch(`${kinora.url}/share/${changed}/film.mp4`)).status, 404, changed)
  }
  for (const each of ['', token.slice(1), `${token}A`, `${token}=`])
    assert.equal((await fetch(`${kinora.url}/api/v1/share/${each}`)).status, 404, each)
  for (const file of ['film.webm', 'film', 'thumbnail.png', '__proto__'])
    assert.equal((await fetch(`${shared.url}/${file}`)).status, 404, file)
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const statuses = new Map<number, number>()
    for (let request = 0; request < 610; request += 1) {
      const { status, body } = await fetch(`${url}/share/${'A'.repeat(80)}/film.mp4`)
      await body?.cancel()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.deepEqual(
      [...statuses],
      [
        [404, 600],
        [429, 10],
      ],
    )
  })
})
