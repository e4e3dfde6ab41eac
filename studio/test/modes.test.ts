/** The modes of the generate form: a film edited, one made to a sound, references in order, files that are dropped. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { silence, sound } from '../../server/test/support/sounds.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { film } from './films.ts'
import { addManyModes } from './many-modes.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit } = await openBrowser(kinora)
addManyModes()

const MODEL = { model: 'many-modes', duration: 4, aspectRatio: '16:9', quality: '720p' }
const slot = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const stage = (page: Page) => page.getByRole('region', { name: 'Stage' })
const choose = (page: Page, mode: string) => page.getByLabel('Mode', { exact: true }).selectOption(mode)
const picture = async (page: Page, width = 320) => ({
  ...{ name: 'a.png', mimeType: 'image/png' },
  buffer: await page.screenshot({ clip: { x: 0, y: 0, width, height: 180 } }),
})

/** Waits until the film of that name is on the stage, finished. */
async function untilMade(page: Page, name: string): Promise<void> {
  await stage(page).getByRole('link', { name, exact: true }).waitFor()
  await stage(page).getByText('Done', { exact: true }).waitFor()
}

/** The studio of a user with a film of the model. */
async function withFilm(prompt: string) {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await film(kinora, ann, { ...MODEL, prompt })
  const visited = await visit({ as: ann })
  await visited.page.goto('/')
  await stage(visited.page).getByRole('button', { name: 'Edit', exact: true }).waitFor()
  return { ...visited, ann, uuid }
}

test('edit: below a film → the form has it, without a duration; the new film leads back to it', async () => {
  const { page, uuid } = await withFilm('A heron at dusk')
  await stage(page).getByRole('button', { name: 'Edit', exact: true }).click()
  await slot(page, 'Film to edit').getByRole('img', { name: 'A heron at dusk' }).waitFor()
  assert.equal(await page.getByLabel('Mode', { exact: true }).inputValue(), 'edit')
  assert.equal(await page.getByRole('group', { name: 'Duration' }).count(), 0)
  await page.getByLabel('Prompt').fill('It snows')
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  const body = (await sent).postDataJSON()
  assert.deepEqual([body.mode, body.inputs, body.duration], ['edit', [{ role: 'film', video: uuid }], undefined])
  await stage(page).getByText('Done', { exact: true }).waitFor()
  await stage(page).getByRole('link', { name: 'It snows' }).click()
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByRole('link', { name: 'A heron at dusk' }).click()
  await page.waitForURL(`**/library/${uuid}`)
})

test('edit in turns: each film is a version of the first → the stage leads back and forth among them', async () => {
  const { page } = await withFilm('A heron at dusk')
  const versions = stage(page).getByRole('list', { name: 'Versions' })
  const done = stage(page).getByText('Done', { exact: true })
  for (const [turn, words] of ['It snows', 'It is night'].entries()) {
    await stage(page).getByRole('button', { name: 'Edit', exact: true }).click()
    await slot(page, 'Film to edit').waitFor()
    await page.getByLabel('Prompt').fill(words)
    await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
    await versions.getByRole('button', { name: `v${turn + 2} ${words}` }).waitFor()
    await done.waitFor()
  }
  await versions.getByRole('button', { name: 'v1 A heron at dusk' }).click()
  await stage(page).getByRole('link', { name: 'A heron at dusk' }).waitFor()
  assert.deepEqual(await versions.getByRole('listitem').allTextContents(), [
    'v1 A heron at dusk',
    'v2 It snows',
    'v3 It is night',
  ])
  assert.equal(await versions.locator('[aria-current]').textContent(), 'v1 A heron at dusk')
  await versions.getByRole('button', { name: 'v3 It is night' }).click()
  await stage(page).getByRole('link', { name: 'It is night' }).click()
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByRole('link', { name: 'v2 It snows' }).click()
  await facts.getByRole('link', { name: 'v1 A heron at dusk' }).waitFor()
})

test('lip sync: a film of the library and a sound that is uploaded → asked for consent once, the film is made to it', async (t) => {
  const { config } = kinora.app
  config.consent = { text: 'They all agreed.', version: 'one' }
  t.after(() => {
    config.consent = null
  })
  const { page, expect } = await withFilm('A clown speaks')
  expect(/\b403\b.*generate$/)
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await choose(page, 'Lip sync')
  assert.equal(await page.getByLabel('Prompt').count(), 0)
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByText('This needs a film.').last().waitFor()
  await page.getByRole('button', { name: 'Choose a film…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'A clown speaks' }).click()
  await page.getByText('Its lips follow the sound.').waitFor()
  const file = { name: 'voice.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
  await page.getByLabel('Voice or music').setInputFiles(file)
  await page.getByText('A sound is an MP3, WAV, M4A or OGG file.').waitFor()
  const voice = { name: 'voice.ogg', mimeType: 'audio/ogg', buffer: await sound('opus', 3) }
  await page.getByLabel('Voice or music').setInputFiles(voice)
  await slot(page, 'Voice or music').locator('audio').waitFor()
  await page.getByRole('button', { name: /^Generate · \d+ credits$/, disabled: false }).click()
  await page.getByText('They all agreed.').waitFor()
  await page.getByRole('button', { name: 'I state this, and make the film' }).click()
  await stage(page).getByText('Done', { exact: true }).waitFor()
  await stage(page)
    .getByText(/Many Modes · 3 s · \d+ credits/)
    .waitFor()
})

test('references: in another order → the request has them so, with their numbers in the form', async () => {
  const { page, uuid } = await withFilm('A heron at dusk')
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await choose(page, 'References')
  const voice = { name: 'voice.wav', mimeType: 'audio/wav', buffer: await sound('pcm-s16', 2) }
  await page.getByLabel('Reference', { exact: true }).setInputFiles(voice)
  await slot(page, 'Reference @1').locator('audio').waitFor()
  await page.getByRole('button', { name: 'One of your films…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'A heron at dusk' }).click()
  await slot(page, 'Reference @2').getByRole('button', { name: 'Move up' }).click()
  await slot(page, 'Reference @1').getByRole('img', { name: 'A heron at dusk' }).waitFor()
  await page.getByLabel('Prompt').fill('It sings')
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  const [first, second] = (await sent).postDataJSON().inputs
  assert.deepEqual(
    [first, second.role, typeof second.asset],
    [{ role: 'reference', video: uuid }, 'reference', 'string'],
  )
  await untilMade(page, 'It sings')
})

test('keyframes: the second one after the first → their times are in the request, within the film', async () => {
  const { page } = await withFilm('A heron at dusk')
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await choose(page, 'Keyframes')
  const png = { name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await page.getByLabel('Keyframe', { exact: true }).setInputFiles(png)
  await page.getByText('The film shows this image at 0 s.').waitFor()
  const other = { ...png, buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 180 } }) }
  await page.getByLabel('Keyframe', { exact: true }).last().setInputFiles(other)
  await page.getByText('The film shows this image at 2 s.').waitFor()
  await page.getByLabel('Its time in seconds').last().fill('9')
  await page.getByText('The film shows this image at 4 s.').waitFor()
  await page.getByLabel('Prompt').fill('It lands')
  await untilSays(page.getByLabel('Its time in seconds').last(), '4')
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  assert.deepEqual(
    (await sent).postDataJSON().inputs.map(({ at }: { at: number }) => at),
    [0, 4],
  )
  await untilMade(page, 'It lands')
})

test('talking portrait: picture and sound dropped, no prompt → each in the slot that takes its kind; model and mode name the film', async () => {
  const { page } = await withFilm('A heron at dusk')
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await choose(page, 'Talking portrait')
  await page.evaluate(dropFile('voice.ogg', 'audio/ogg', await sound('opus', 2)))
  await slot(page, 'Voice or music').locator('audio').waitFor()
  await page.evaluate(dropFile('face.png', 'image/png', await page.screenshot()))
  await page.getByText('This face speaks in the film.').waitFor()
  await page.evaluate(dropFile('film.mp4', 'video/mp4', Buffer.from('')))
  await page.getByText(/^Many Modes takes no such file here\./).waitFor()
  await page.getByLabel('Prompt').fill('')
  await page.getByRole('button', { name: 'Generate · 8 credits' }).click()
  const name = 'Many Modes · Talking portrait'
  await untilMade(page, name)
  await page.getByRole('button', { name: `${name} · Done` }).waitFor()
  await stage(page).getByRole('link', { name }).click()
  await page.getByRole('region', { name: 'Facts' }).waitFor()
  assert.equal(await page.title(), `${name} · Kinora`)
  assert.equal(await page.getByRole('heading', { name: 'Prompt' }).count(), 0)
  await page.goto('/library')
  await page.getByRole('list', { name: 'Films' }).getByRole('link', { name }).waitFor()
})

test('modes: start and end image, motion, one of the model’s own → a film is made of each; the price is the most where the provider decides the length', async () => {
  const { page } = await withFilm('A heron at dusk')
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await page.getByLabel('Start image', { exact: true }).setInputFiles(await picture(page))
  await page.getByText('The film begins with this image.').waitFor()
  await page.getByLabel('End image', { exact: true }).setInputFiles(await picture(page, 300))
  await page.getByText('The film ends with this image.').waitFor()
  await page.getByLabel('Prompt').fill('It flies')
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  await untilMade(page, 'It flies')
  await choose(page, 'Motion from a film')
  await page.getByRole('button', { name: 'Choose a film of the motion…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'A heron at dusk' }).click()
  await page.getByText('The new film moves as this one.').waitFor()
  await page.getByLabel('Prompt').fill('It walks')
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  await untilMade(page, 'It walks')
  await choose(page, 'dream')
  await page.getByLabel('Prompt').fill('It dreams')
  await page.getByRole('button', { name: 'Generate · up to 32 credits' }).click()
  await untilMade(page, 'It dreams')
})

test('large sound: connection lost, then the page loaded again → the upload goes on where it was, each byte once', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-sound-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'voice.wav')
  const samples = 360 * 48_000
  await writeFile(file, Buffer.concat([silence(0, samples, 48_000), randomBytes(samples)]))
  const { page, context, expect } = await withFilm('A clown speaks')
  expect(/ERR_FAILED/)
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await choose(page, 'Lip sync')
  const offsets: number[] = []
  const PIECE = 4 * 1024 ** 2
  await context.route('**/api/v1/asset/upload/*', async (route) => {
    if (route.request().method() !== 'PATCH') return await route.continue()
    offsets.push(Number(route.request().headers()['upload-offset']))
    // The second piece is lost once, and the third one never sent.
    if (offsets.length === 2) await route.abort()
    else if (offsets.length !== 4) await route.continue()
  })
  await page.getByLabel('Voice or music').setInputFiles(file)
  await slot(page, 'Voice or music').locator('[aria-valuetext="48.5%"]').waitFor()
  // The bar has counted the second piece before the third is sent.
  await until(async () => offsets.length === 4, 'the third piece')
  assert.deepEqual(offsets, [0, PIECE, PIECE, 2 * PIECE])
  await page.reload()
  await page.getByLabel('Voice or music').setInputFiles(file)
  await slot(page, 'Voice or music').locator('audio').waitFor()
  assert.deepEqual(offsets.slice(4), [2 * PIECE, 3 * PIECE, 4 * PIECE])
  assert.equal(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("upload")).length'), 0)
})

/** Script that drops a file on the page. */
const dropFile = (name: string, type: string, bytes: Buffer) => `{
  const dataTransfer = new DataTransfer()
  const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (character) => character.charCodeAt(0))
  dataTransfer.items.add(new File([bytes], '${name}', { type: '${type}' }))
  document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
}`
