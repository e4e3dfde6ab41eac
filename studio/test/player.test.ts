/** The player page: playback, details, download and sharing, and every state without a playable film. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { greyFilm, soundOnlyFilm } from '../../server/test/support/films.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilPlays, untilSays } from './browser.ts'
import { film } from './films.ts'

type Share = { share: { url: string } }

const DAY_MS = 86_400_000
const kinora = await openKinora({ simulator: true, worker: true })
const browser = await openBrowser(kinora, { hasMotion: true })

/** Discards the browser's buffer, as browsers do after a while, and plays. */
const playAgain = (page: Page) =>
  page.evaluate("{ const film = document.querySelector('video'); film.load(); film.play().catch(() => {}) }")

test('player: film opened → paused in its aspect ratio, with its details, and playable', async () => {
  const ann = await kinora.person()
  const prompt = `A lighthouse in fog, ${'the lamp turning slowly, '.repeat(8)}and then nothing`
  const uuid = await film(kinora, ann, { prompt, aspectRatio: '9:16', seed: 70117 })
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText(prompt, { exact: true }).waitFor()
  const { data } = await kinora.call<{ provider: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  for (const fact of ['Done', 'Delta 1.5', '4 s', '9:16', '720p', data.provider, '70117', '16', uuid]) {
    await facts.getByText(fact, { exact: true }).waitFor()
  }
  const box = await page.locator('video').boundingBox()
  assert.ok(box && Math.abs(box.width / box.height - 9 / 16) < 0.02)
  assert.equal(await page.evaluate("document.querySelector('video').paused"), true)
  await page.evaluate("document.querySelector('video').play()")
  await untilPlays(page)
})

test('player: download and copied link → both work without a session', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const { page, context } = await browser.visit({ as: ann, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`/library/${uuid}`)
  const url = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
  const response = await fetch(url ?? '')
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename=/)
  assert.equal(response.headers.get('content-type'), 'video/mp4')

  await page.getByRole('button', { name: 'Copy file link' }).click()
  await page.getByText(/Link copied\. It plays the film without an account until .+\d{4}.+\./).waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.equal((await fetch(copied)).headers.get('content-type'), 'video/mp4')

  await page.getByRole('button', { name: 'Copy prompt' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'A paper boat in a rain gutter')
  await context.clearPermissions()
})

test('player: film shared → plays for a viewer without an account, until the share is revoked', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann, { prompt: 'A secret garden' })
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this film' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByText(`${kinora.url}/share/`).textContent()

  const { page: viewer, expect } = await browser.visit()
  expect(/status of 404/)
  await viewer.goto(link ?? '')
  await viewer.getByText('Made with Kinora · 4 s').waitFor()
  assert.equal(await viewer.title(), 'A film made with Kinora · Kinora')
  await untilPlays(viewer)
  await dialog.getByLabel('Show the prompt too').check()
  await dialog.getByRole('button', { name: 'Stop sharing' }).waitFor()
  await until(async () => {
    await viewer.reload()
    await viewer.getByText('Made with Kinora').waitFor()
    return (await viewer.getByText('A secret garden').count()) === 1
  }, 'the prompt')
  assert.equal(await viewer.getByRole('link', { name: 'Download' }).count(), 0)
  await dialog.getByLabel('Allow download').check()
  await until(async () => {
    await viewer.reload()
    await viewer.getByText('A secret garden').waitFor()
    return (await viewer.getByRole('link', { name: 'Download' }).count()) === 1
  }, 'the download')
  await viewer.getByRole('link', { name: 'Make a film like it' }).click()
  await viewer.waitForURL(/\/sign-up\?next=.*secret/)
  await viewer.goBack()
  await viewer.getByText('A secret garden').waitFor()
  await dialog.getByRole('button', { name: 'Stop sharing' }).click()
  await dialog.getByRole('button', { name: 'Make a link' }).waitFor()
  await viewer.reload()
  await viewer.getByText('This film is not shared any more.').waitFor()
})

test('share dialog: share read before a save, received after it → the saved choice stays', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this film' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  await dialog.getByRole('button', { name: 'Stop sharing' }).waitFor()

  const [isRead, isSaved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/share', async (route) => {
    if (route.request().method() !== 'GET') return await route.continue()
    const response = await route.fetch()
    isRead.resolve()
    await isSaved.promise
    await route.fulfill({ response })
  })
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await isRead.promise
  const answer = (method: string) =>
    page.waitForResponse((response) => response.url().endsWith('/share') && response.request().method() === method)
  const [saved, late] = [answer('PUT'), answer('GET')]
  await dialog.getByLabel('Allow download').check()
  await saved
  isSaved.resolve()
  await (await late).finished()
  const savedAgain = answer('PUT')
  await dialog.getByLabel('Show the prompt too').check()
  const { showsPrompt, allowsDownload } = (await savedAgain).request().postDataJSON()
  assert.deepEqual({ showsPrompt, allowsDownload }, { showsPrompt: true, allowsDownload: true })
})

test('shared film: revoked while the page is open → nothing of it is shown any more', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann, { prompt: 'A secret garden' })
  const path = `/api/v1/video/${uuid}/share`
  const { data } = await kinora.call<Share>('PUT', path, { as: ann, body: { showsPrompt: true } })
  const { page: viewer, expect } = await browser.visit()
  expect(/status of 404/)
  await viewer.goto(data.share.url)
  await viewer.getByText('A secret garden').waitFor()
  await kinora.call('DELETE', path, { as: ann })
  await viewer.evaluate("document.querySelector('video').dispatchEvent(new Event('error'))")
  await viewer.getByText('This film is not shared any more.').waitFor()
  assert.equal(await viewer.getByText('A secret garden').count(), 0)
  assert.equal(await viewer.locator('video').count(), 0)
})

test('share dialog: share changed elsewhere, dialog opened again → the share as it is now', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann, { prompt: 'A walled garden' })
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  const dialog = page.getByRole('dialog', { name: 'Share this film' })
  const open = page.getByRole('button', { name: 'Share' })
  await open.click()
  await dialog.getByRole('button', { name: 'Keep it private' }).click()
  await kinora.call('PUT', `/api/v1/video/${uuid}/share`, { as: ann, body: { showsPrompt: true } })
  await open.click()
  await dialog.getByRole('button', { name: 'Stop sharing' }).waitFor()
  assert.equal(await dialog.getByLabel('Show the prompt too').isChecked(), true)
})

test('titles: prompt of many emoji → cut between characters, and ends with "…"', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann, { prompt: `!${'🎈'.repeat(100)}` })
  const { data } = await kinora.call<Share>('PUT', `/api/v1/video/${uuid}/share`, {
    as: ann,
    body: { showsPrompt: true },
  })
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Share' }).waitFor()
  assert.equal(await page.title(), `!${'🎈'.repeat(59)}… · Kinora`)
  await page.goto(data.share.url)
  await page.getByText('Made with Kinora').waitFor()
  assert.equal(await page.title(), `!${'🎈'.repeat(79)}… · Kinora`)
})

test('player: "Reuse settings" → the studio with the film’s settings', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann, { prompt: 'A heron at dusk', aspectRatio: '9:16' })
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('link', { name: 'Reuse settings' }).click()
  await untilSays(page.getByLabel('Prompt'), 'A heron at dusk')
  await page.getByRole('radio', { name: '9:16', checked: true }).waitFor()
})

test('player: unknown, malformed or another user’s uuid → "does not exist", with a link back to the library', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const { data } = await kinora.generate(bob, { prompt: 'Not yours [refuse: no]' })
  const { page, expect } = await browser.visit({ as: ann })
  expect(/status of 404/)
  for (const uuid of [data.uuid, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
    await page.goto(`/library/${uuid}`)
    await page.getByText('This film does not exist or was deleted.').waitFor()
    assert.equal((await page.content()).includes('Not yours'), false)
  }
  await page.getByRole('button', { name: 'Back to the library' }).click()
  await page.waitForURL('**/library')
})

test('player: film in progress or failed → its progress, or its reason and the credits returned', async () => {
  const ann = await kinora.person({ credits: 200 })
  const slow = await kinora.generate(ann, { prompt: 'A slow one [slow: 600s]' })
  const refused = await kinora.generate(ann, { prompt: 'A heron [refuse: Herons are not allowed.]', duration: 5 })
  await kinora.finish(ann, refused.data.uuid)
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${slow.data.uuid}`)
  await page.getByRole('progressbar', { name: 'Progress of this film' }).waitFor()
  assert.equal(await page.locator('video').count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0)
  await page.goto(`/library/${refused.data.uuid}`)
  await page.getByText('Herons are not allowed.', { exact: true }).waitFor()
  await page.getByText('20 credits returned').waitFor()
})

test('player: file link expired while the page is open → renewed, and playback continues', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const { page, expect } = await browser.visit({ as: ann })
  expect(/status of 403/)
  await page.goto(`/library/${uuid}`)
  const url = await page.locator('video').getAttribute('src')
  assert.ok(url)
  // A day later the service signs different links, and refuses the old one.
  kinora.turnClock(DAY_MS)
  await page.route(url, (route) => route.fulfill({ status: 403, body: '' }))
  await playAgain(page)
  await untilPlays(page)
  assert.notEqual(await page.locator('video').getAttribute('src'), url)
  kinora.turnClock(-DAY_MS)
})

test('player: storage refuses an address that the link led to earlier → the same link is followed again, playback continues', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const { page, expect } = await browser.visit({ as: ann })
  expect(/status of 403/)
  await page.goto(`/library/${uuid}`)
  const url = await page.locator('video').getAttribute('src')
  assert.ok(url)
  let refusals = 0
  await page.route(url, (route) => (refusals++ === 0 ? route.fulfill({ status: 403, body: '' }) : route.continue()))
  await playAgain(page)
  await until(async () => refusals > 1, 'the second request')
  await page.evaluate("document.querySelector('video').play()")
  await untilPlays(page)
  assert.equal(await page.locator('video').getAttribute('src'), url)
})

test('player: completed video whose film retention has removed → says so, offers no download', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  await kinora.app.sql`update kinora.video set files_removed_at = now() where id = ${uuid}`
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByText('This film is no longer kept.').waitFor()
  assert.equal(await page.locator('video').count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0)
  await page.getByRole('link', { name: 'Reuse settings' }).waitFor()
})

test('player: file permanently unavailable → an error with "Try again" instead of endless retries', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const { page, expect } = await browser.visit({ as: ann })
  expect(/status of 404/)
  await page.route('**/files/**/*.mp4*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`/library/${uuid}`)
  await page.getByText('This film could not be played.').waitFor()
  await page.route('**/files/**/*.mp4*', (route) => route.continue())
  await page.getByRole('button', { name: 'Try again' }).click()
  await until(async () => (await page.locator('video').count()) === 1, 'the film again')
  await page.evaluate("document.querySelector('video').play()")
  await untilPlays(page)
})

const kinds: Record<string, () => Promise<Buffer>> = {
  'codec that the browser lacks': async () =>
    Buffer.from(
      (await greyFilm(640, 360, 2)).toString('latin1').replaceAll('avc1', 'hvc1').replaceAll('avcC', 'hvcC'),
      'latin1',
    ),
  'picture that the browser cannot decode, with sound': soundOnlyFilm,
}
for (const [kind, bytes] of Object.entries(kinds)) {
  test(`player, shared film: ${kind} → says that the browser cannot show it, offers the download`, async () => {
    const ann = await kinora.person()
    const uuid = await film(kinora, ann)
    const path = `/api/v1/video/${uuid}/share`
    const { data } = await kinora.call<Share>('PUT', path, { as: ann, body: { showsPrompt: false } })
    const body = await bytes()
    const { page } = await browser.visit({ as: ann })
    await page.route('**/*.mp4*', (route) => route.fulfill({ status: 200, contentType: 'video/mp4', body }))
    for (const address of [`/library/${uuid}`, data.share.url]) {
      await page.goto(address)
      await page.getByText('Your browser cannot show this kind of film: download it.').waitFor()
      assert.equal(await page.locator('video').count(), 0)
      await page.screenshot({})
      const link = await page.getByRole('link', { name: 'Download the film' }).getAttribute('href')
      const { headers } = await fetch(link ?? '')
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename=.*\.mp4"$/)
    }
  })
}

test('shared film: “Make a film like it” of a signed-in viewer → the form has its prompt and model', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const uuid = await film(kinora, ann, { prompt: 'A secret garden' })
  const body = { showsPrompt: true }
  const { data } = await kinora.call<Share>('PUT', `/api/v1/video/${uuid}/share`, { as: ann, body })
  const { page } = await browser.visit({ as: bob })
  await page.goto(data.share.url)
  await page.getByRole('link', { name: 'Make a film like it' }).click()
  await page.waitForURL(`${kinora.url}/`)
  await untilSays(page.getByLabel('Prompt', { exact: true }), 'A secret garden')
  await page.getByRole('button', { name: 'Model Delta 1.5' }).waitFor()
})
