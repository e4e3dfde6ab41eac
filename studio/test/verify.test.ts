/** The page that checks a film: read in a browser by c2pa-rs, known by its SHA-256, never uploaded. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addModel, models } from '../../server/test/support/changed-models.ts'
import { greyFilm } from '../../server/test/support/films.ts'
import { generateBody, openKinora } from '../../server/test/support/harness.ts'
import { sign } from '../../server/test/support/signed-film.ts'
import { openBrowser } from './browser.ts'

const kinora = await openKinora({ simulator: true, env: { RATE_LIMITS: 'on', EXPLORE: 'on' } })
const browser = await openBrowser(kinora)
const ann = await kinora.person({ credits: 500 })
addModel('upscaler', {
  name: 'Larger 2',
  modes: {
    upscale: {
      prompt: 'none',
      duration: { follows: 'film', from: 3, to: 8 },
      quality: ['1080p'],
      aspectRatio: 'follows the image',
    },
  },
  price: { per: 'second', credits: { '1080p': 2 } },
  routes: [
    {
      account: 'provider-a',
      input: {
        ...{ prompt: 'prompt', duration: 'duration', aspect_ratio: 'aspectRatio', quality: 'quality' },
        video_url: 'film',
      },
    },
  ],
})
after(() => models().delete('upscaler'))

async function makeFilm(body: Record<string, unknown>) {
  const { data, error } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
  assert.equal(error, undefined)
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  const made = await kinora.call<{ videoUrl: string; thumbnailUrl: string }>('GET', `/api/v1/video/${data.uuid}`, {
    as: ann,
  })
  const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
  return { uuid: data.uuid, film: await read(made.data.videoUrl), poster: await read(made.data.thumbnailUrl) }
}
const made = await makeFilm(generateBody)
const { film } = made

/** The page itself, not as it stands in the document until its script is there. */
const app = (page: Page) => page.locator('#app')
const choose = (page: Page, buffer: Buffer, name = 'film.mp4', mimeType = 'video/mp4') =>
  app(page).getByLabel('File to check').setInputFiles({ name, mimeType, buffer })
const result = (page: Page) => app(page).getByRole('region', { name: 'Result' })
const says = (page: Page, heading: string) => result(page).getByRole('heading', { name: heading, level: 2 }).waitFor()
const fact = (page: Page, name: string) =>
  result(page).locator('.fact').filter({ hasText: name }).locator('dd').textContent()

test('check: a film made here → known and valid, by its model, and nothing of it is sent but its SHA-256', async () => {
  const { page } = await browser.visit()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${new URL(request.url()).pathname} ${request.postData()?.length}`)
  })
  await page.goto('/verify')
  await choose(page, film)
  await says(page, 'Made here, by AI')
  await result(page).getByText('Its content credentials are valid.').waitFor()
  assert.equal(await fact(page, 'Made with'), 'Delta 1.5')
  assert.equal(await fact(page, 'Signed by'), 'Kinora (self-made)')
  assert.equal(await fact(page, 'Content credentials'), 'Valid')
  assert.deepEqual(sent, ['/api/v1/provenance/verify 77'])
})

test('check: its poster, and a larger copy of it → known too, the copy with the film that it was made from', async () => {
  const { page } = await browser.visit()
  await page.goto('/verify')
  await choose(page, made.poster, 'poster.jpg', 'image/jpeg')
  await says(page, 'The poster of a film made here, by AI')
  assert.equal(await fact(page, 'Content credentials'), 'Valid')
  const larger = await makeFilm({ model: 'upscaler', upscaleFrom: made.uuid })
  await choose(page, larger.film, 'larger.mp4')
  await result(page).getByText('larger.mp4').waitFor()
  await says(page, 'Made here, by AI')
  assert.deepEqual([await fact(page, 'Made with'), await fact(page, 'Made from')], ['Larger 2', 'an earlier film'])
  const steps = await result(page).getByRole('list').getByRole('listitem').allTextContents()
  assert.deepEqual(
    steps.map((step) => step.split(' · ')[0]),
    ['Delta 1.5', 'Larger 2'],
  )
})

test('check: one byte of it changed → changed since it was signed, and not known', async () => {
  const { page } = await browser.visit()
  await page.goto('/verify')
  const changed = Buffer.from(film)
  changed.writeUInt8(changed.readUInt8(changed.length - 9) ^ 1, changed.length - 9)
  await choose(page, changed)
  await says(page, 'Changed since it was signed')
  await result(page).getByText('Kinora has not made this file, or not in this form.').waitFor()
  await choose(page, film.subarray(0, 3000))
  await says(page, 'Not readable')
})

test('check: its claim changed after it was signed → not valid', async () => {
  const { page } = await browser.visit()
  await page.goto('/verify')
  const changed = Buffer.from(film)
  changed.write('kinora', changed.indexOf('Kinora', changed.indexOf('claim_generator_info')))
  await choose(page, changed)
  await says(page, 'Not validly signed')
})

test('check: the reader cannot be loaded → what the service knows by the hash is shown', async () => {
  const { page, expect } = await browser.visit()
  await page.route('**/*.wasm', (route) => route.abort())
  await page.goto('/verify')
  expect(/ERR_FAILED/)
  await choose(page, film)
  await says(page, 'Made here, by AI')
  await choose(page, film.subarray(0, 3000))
  await says(page, 'Content credentials not read')
})

test('check: a film that another service has signed → made by AI, valid, not known here', async (t) => {
  const { page } = await browser.visit()
  await page.goto('/verify')
  const { bytes } = await sign(t, await greyFilm(160, 90, 4, { framesPerSecond: 1 }))
  await choose(page, bytes)
  await says(page, 'Made by AI')
  await result(page).getByText('Whether the signer can be trusted is for you to judge.').waitFor()
})

test('check: an unsigned film, another kind of file → nothing is known; with a manifest beside it → known by its hash', async () => {
  const { page } = await browser.visit()
  await page.goto('/verify')
  const unsigned = await greyFilm(160, 90, 4, { framesPerSecond: 1 })
  await choose(page, unsigned)
  await says(page, 'Nothing is known of this file')
  await choose(page, Buffer.from('a text'), 'text.txt', 'text/plain')
  await result(page).getByText('text.txt · 6 B').waitFor()
  await says(page, 'Nothing is known of this file')

  const other = await makeFilm(generateBody)
  const beside = Buffer.concat([unsigned, Buffer.from('\0\0\0\x08free', 'latin1')])
  await kinora.app.sql`
    update kinora.video_provenance set film_sha256 = ${createHash('sha256').update(beside).digest()} where video_id = ${other.uuid}
  `
  await choose(page, beside)
  await says(page, 'Made here, by AI')
  await result(page).getByText('Its content credentials lie in a file beside it.').waitFor()
})

test('check: link of a shared film → known; after it was revoked, or of another site → said', async () => {
  const at = `/api/v1/video/${made.uuid}/share`
  const shared = await kinora.call<{ share: { url: string } }>('PUT', at, { as: ann, body: {} })
  const { page, expect } = await browser.visit()
  await page.goto('/verify')
  const follow = async (link: string) => {
    await app(page).getByLabel('Or paste the link of a shared film').fill(link)
    await app(page).getByRole('button', { name: 'Check the link' }).click()
  }
  await follow(shared.data.share.url)
  await says(page, 'Made here, by AI')
  assert.equal(await fact(page, 'Made with'), 'Delta 1.5')
  assert.equal(await result(page).locator('code').textContent(), createHash('sha256').update(film).digest('hex'))
  await follow('https://films.example.com/share/other')
  await result(page).getByText('This is no link to a shared film of Kinora.').waitFor()
  await kinora.call('DELETE', at, { as: ann })
  expect(/404/)
  await page.goto(`/verify?link=${encodeURIComponent(shared.data.share.url)}`)
  await result(page).getByText('This film is not shared any more.').waitFor()
})

test('AI: film in the player, on its share page and in Explore → marked with model and date; each leads to its check', async () => {
  const { data: shared } = await kinora.call<{ share: { url: string } }>('PUT', `/api/v1/video/${made.uuid}/share`, {
    as: ann,
    body: {},
  })
  const { data: published } = await kinora.call<{ publication: { id: string } }>(
    'PUT',
    `/api/v1/video/${made.uuid}/publication`,
    { as: ann, body: {} },
  )
  const mark = /AI ?Made by AI: Delta 1\.5 · [A-Z][a-z]{2} \d+, \d{4}/
  const own = await browser.visit({ as: ann })
  await own.page.goto(`/library/${made.uuid}`)
  await own.page.getByText(mark).waitFor()
  await own.page.getByText('Signed by Kinora (self-made)').waitFor()

  const { page } = await browser.visit()
  await page.goto(new URL(shared.share.url).pathname)
  await page.getByText(mark).waitFor()
  await page.getByRole('link', { name: 'Check this film' }).click()
  await says(page, 'Made here, by AI')
  await page.goto('/explore')
  await page.getByRole('list', { name: 'Films' }).getByText(mark).waitFor()
  await page.goto(`/explore?film=${published.publication.id}`)
  await page.getByRole('dialog').getByText(mark).waitFor()
  await page.getByRole('dialog').getByRole('link', { name: 'Check this film' }).click()
  await says(page, 'Made here, by AI')
  await page.getByRole('link', { name: 'AI marks' }).click()
  await page.getByRole('heading', { name: 'How films say that AI has made them' }).waitFor()
})

test('check: cancelled while it is read → nothing; a file that is gone when it is read → said, and the next one is read', async () => {
  const { page, expect } = await browser.visit()
  const begin = Promise.withResolvers<void>()
  await page.route('**/*.worker-*.js', async (route) => {
    await begin.promise
    await route.continue()
  })
  await page.goto('/verify')
  await choose(page, film)
  await result(page).getByText('Reading film.mp4: 0%').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await result(page).getByText('film.mp4').waitFor({ state: 'detached' })

  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-verify-'))
  await writeFile(path.join(folder, 'gone.mp4'), film)
  await app(page).getByLabel('File to check').setInputFiles(path.join(folder, 'gone.mp4'))
  await result(page).getByText('Reading gone.mp4').waitFor()
  await rm(folder, { recursive: true })
  expect(/ERR_FILE_NOT_FOUND/)
  begin.resolve()
  await result(page).getByText('gone.mp4 could not be read.').waitFor()
  await choose(page, film)
  await says(page, 'Made here, by AI')
})

test('check: the service does not answer, or refuses for now → what the file says is shown, and the way to ask again', async () => {
  const { page, expect } = await browser.visit()
  let isDown = true
  await page.route('**/api/v1/provenance/verify', (route) => (isDown ? route.abort() : route.continue()))
  await page.goto('/verify')
  expect(/ERR_FAILED/)
  await choose(page, film)
  await says(page, 'Made by AI')
  await result(page).getByText('it could not be asked').waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await says(page, 'Made here, by AI')

  const ask = () => kinora.call('POST', '/api/v1/provenance/verify', { body: { sha256: '0'.repeat(64) } })
  while ((await ask()).status !== 429);
  expect(/429/)
  await page.reload()
  await choose(page, film)
  await says(page, 'Made by AI')
  await result(page).getByRole('alert').filter({ hasText: 'more than 60 requests in a minute' }).waitFor()
})
