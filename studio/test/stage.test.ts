/** The stage and what one makes from a film: sets, comparisons, variations; the form of a model's schema. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addSample } from '../../server/src/video/model-samples.ts'
import { addModel, modelOf, models } from '../../server/test/support/changed-models.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilPlays, untilSays } from './browser.ts'
import { film } from './films.ts'
import { chooseModel, frameOf } from './studio-form.ts'

// Models that an account serves which no film is made at here.
const env = { PROVIDER_FAL_API_KEY: 'key', PROVIDER_FAL_URL: 'https://fal.example' }
const kinora = await openKinora({ simulator: true, worker: true, env })
const { visit, tab } = await openBrowser(kinora, { hasMotion: true })

after(() => models().delete('extending'))
addModel('extending', {
  name: 'Extending',
  modes: {
    'text-to-video': { duration: [4, 8], quality: ['720p'], aspectRatio: ['16:9', '9:16'] },
    extend: {},
  },
})

const stage = (page: Page) => page.getByRole('region', { name: 'Stage' })

/** The page of a user with a film of the simulator's second model, which has seeds. */
async function withFilm(): Promise<{ page: Page; ann: Person; uuid: string }> {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await film(kinora, ann, { prompt: 'A heron: at dusk', aspectRatio: '9:16' })
  const { page } = await visit({ as: ann, viewport: { width: 1366, height: 768 } })
  await page.goto('/')
  await stage(page).getByRole('button', { name: 'Reuse settings' }).waitFor()
  return { page, ann, uuid }
}

test('form: rule of the model forbids a value → it says why beside it, and the value returns with the cause', async () => {
  const { page } = await visit({ as: await kinora.person({ credits: 1000 }) })
  await page.goto('/')
  await chooseModel(page, 'Hailuo 2.3 MiniMax')
  await page.getByRole('radio', { name: '10 s' }).check()
  await page.getByRole('radio', { name: '1080p' }).check()
  await page.getByRole('radio', { name: '6 s', checked: true }).waitFor()
  await page.getByText('1080p films have 6 seconds').waitFor()
  assert.ok(await page.getByRole('radio', { name: '10 s' }).isDisabled())
  await page.getByText('More options').click()
  await page.getByRole('checkbox', { name: 'Enhance the prompt' }).check()
  await page.getByRole('radio', { name: '768p' }).check()
  await page.getByRole('radio', { name: '10 s', checked: true }).waitFor()
  await chooseModel(page, 'Delta 1.5')
  await page.getByRole('slider', { name: 'Duration' }).waitFor()
  await chooseModel(page, 'Hailuo 2.3 MiniMax')
  await page.getByRole('radio', { name: '10 s', checked: true }).waitFor()
  assert.ok(await page.getByRole('checkbox', { name: 'Enhance the prompt' }).isChecked())
})

test('models: sample of the catalogue at another host → its first frame beside the model', async (t) => {
  const sample = 'https://films.example.com/a.mp4'
  addModel('sampled', { name: 'Sampled', sample: [sample] })
  t.after(() => models().delete('sampled'))
  const ann = await kinora.person({ credits: 1000 })
  const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${await film(kinora, ann)}`, {
    as: ann,
  })
  const body = Buffer.from(await (await fetch(data.videoUrl)).arrayBuffer())
  const { page, context } = await visit({ as: ann })
  await context.route(sample, (route) => route.fulfill({ contentType: 'video/mp4', body }))
  await page.goto('/')
  await page.getByRole('button', { name: /^Model / }).click()
  await until(
    () => page.evaluate<boolean>(`document.querySelector('video[src="${sample}"]')?.readyState > 0`),
    'the first frame',
  )
})

test('models: sample made here → its poster beside the model, its film on hover, in the form and for visitors', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await film(kinora, ann)
  await addSample(kinora.app, { model: 'delta-1-5', userId: ann.userId, videoId: uuid })
  kinora.turnClock(6000)
  const folder = `${kinora.url}/sample/${uuid}`
  const plays = (page: Page) =>
    until(
      () => page.evaluate<boolean>(`document.querySelector('video[src="${folder}/film.mp4"]')?.currentTime > 0`),
      'the sample to play',
    )
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('button', { name: /^Model / }).click()
  const row = page.getByRole('group', { name: 'Model' }).locator('label', { hasText: 'Delta 1.5' })
  await row.locator(`img[src="${folder}/thumbnail.jpg"]`).waitFor()
  await row.getByText(/about \d+ s/).waitFor()
  await row.getByText('20 credits').waitFor()
  await row.hover()
  await plays(page)
  const { page: visited } = await visit({})
  await visited.goto('/welcome')
  await visited.getByRole('row', { name: /Delta 1\.5/ }).hover()
  await plays(visited)
})

test('models: sheet by keyboard → narrowed, kept as favourites, the latest first; grey with its reason what cannot make the film', async () => {
  const { page } = await withFilm()
  const sheet = page.getByRole('dialog', { name: 'Choose a model' })
  const open = () => page.getByRole('button', { name: /^Model / }).press('Enter')
  const namesIn = (section: string) => sheet.getByRole('region', { name: section }).getByRole('radio')
  await page.getByRole('button', { name: 'Model Alpha 2' }).waitFor()
  await open()
  await until(
    async () => (await page.evaluate('document.activeElement.value')) === 'alpha-2',
    'the focus on the chosen',
  )
  await namesIn('Recently used')
    .and(sheet.getByRole('radio', { name: 'Delta 1.5' }))
    .waitFor()
  await sheet.getByRole('button', { name: 'Favourite: Hailuo 2.3', exact: true }).click()
  await sheet.getByRole('searchbox').fill('hailuo')
  await sheet.getByRole('status').getByText('2 models').waitFor()
  await sheet.getByRole('button', { name: 'References', exact: true }).click()
  await sheet.getByRole('button', { name: 'Show all models' }).click()
  await sheet.getByRole('radio', { name: 'Delta 1.5' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await until(async () => /Delta 1.5/.test(await page.evaluate('document.activeElement.textContent')), 'the focus back')
  await page.reload()
  const png = { name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await page.getByLabel('Start image', { exact: true }).setInputFiles(png)
  await page.getByText(/^The film begins with this image\./).waitFor()
  await open()
  await namesIn('Favourites')
    .and(sheet.getByRole('radio', { name: 'Hailuo 2.3' }))
    .waitFor()
  const excluded = sheet.getByRole('radio', { name: 'Extending', disabled: true })
  assert.equal(await excluded.evaluate(descriptionOf), 'It takes no start image.')
})

/** Runs in the browser: what describes an element to a screen reader. */
const descriptionOf = (element: {
  getAttribute: (name: string) => string | null
  ownerDocument: { getElementById: (id: string) => { textContent: string } }
}) => element.ownerDocument.getElementById(element.getAttribute('aria-describedby') ?? '').textContent

test('welcome: models cannot be read → the drawn film', async () => {
  const { page, expect } = await visit({})
  expect(/\b404\b/)
  const error = { code: 'NOT_FOUND', message: 'No.', requestId: '1' }
  await page.route('**/api/v1/config/models', (route) => route.fulfill({ status: 404, json: { error } }))
  await page.goto('/welcome')
  await page.getByRole('main').locator('svg').first().waitFor({ state: 'attached' })
})

test('form: image of another ratio → the nearest aspect ratio is chosen, and the form says how it is cut', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 300 } })
  await page.getByLabel('Start image', { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await page.getByText('The film begins with this image. Cut to 9:16.').waitFor()
  await page.getByRole('radio', { name: '9:16', checked: true }).waitFor()
})

/** The keys that generate, as an input method presses them. */
const pressGenerate = (page: Page, composing: { isComposing?: boolean; keyCode?: number }) =>
  page.evaluate(`document.querySelector('textarea[name=prompt]').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, ...${JSON.stringify(composing)} }))`)

test('prompt: keys of an input method → no film; arrow up in the empty field → the last prompts; another tab → the same draft', async () => {
  const visited = await visit({ as: await kinora.person({ credits: 1000 }) })
  const { page } = visited
  await page.goto('/')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/video/generate')) sent.push(request.postDataJSON().prompt)
  })
  for (const prompt of ['A crane', 'A swan']) {
    await page.getByLabel('Prompt').fill(prompt)
    await page.getByRole('button', { name: 'Generate · 30 credits' }).waitFor()
    for (const composing of [{ isComposing: true }, { keyCode: 229 }]) await pressGenerate(page, composing)
    await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
    await frameOf(page, prompt).waitFor()
  }
  assert.deepEqual(sent, ['A crane', 'A swan'])
  await page.getByLabel('Prompt').fill('')
  for (const prompt of ['A swan', 'A crane']) {
    await page.getByLabel('Prompt').press('ArrowUp')
    await untilSays(page.getByLabel('Prompt'), prompt)
  }
  const other = await tab(visited)
  await other.goto('/')
  await untilSays(other.getByLabel('Prompt'), 'A crane')
})

test('comparison: a prompt over two models → the sum on the button, both films side by side, in step', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('Two swans')
  await page.getByRole('button', { name: /^Model / }).click()
  await page.getByRole('button', { name: 'Compare models' }).click()
  await page.getByRole('checkbox', { name: 'Delta 1.5' }).check()
  await page.getByRole('button', { name: 'Take these' }).click()
  await page.getByRole('button', { name: 'Generate 2 films · 50 credits' }).click()
  await until(async () => (await stage(page).locator('video').count()) === 2, 'both films')
  await untilPlays(page)
  await stage(page).getByRole('button', { name: 'Pause' }).click()
  await stage(page).getByRole('slider', { name: 'Position' }).fill('1')
  const positions = await stage(page)
    .locator('video')
    .evaluateAll((all: { currentTime: number }[]) => all.map(({ currentTime }) => currentTime))
  assert.deepEqual(positions, [1, 1])
  const { data } = await kinora.call<{ videos: { model: string }[] }>('GET', '/api/v1/video/list', { as: ann })
  assert.deepEqual(data.videos.map(({ model }) => model).sort(), ['alpha-2', 'delta-1-5'])
})

test('set: three films at once → one request, all on the stage; one of them alone, and the set again; each with its own actions', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('Three cranes')
  await page.getByRole('group', { name: 'Films at once' }).getByRole('radio', { name: '3' }).check()
  await page.getByRole('button', { name: 'Generate 3 films · 90 credits' }).click()
  await until(async () => (await stage(page).locator('video').count()) === 3, 'the films')
  await page.reload()
  await until(async () => (await stage(page).locator('video').count()) === 3, 'the films after a reload')
  await frameOf(page, 'Three cranes').first().click()
  await until(async () => (await stage(page).locator('video').count()) === 1, 'one film')
  await stage(page).getByRole('button', { name: 'Show the set' }).click()
  await until(async () => (await stage(page).locator('video').count()) === 3, 'the set')
  const actions = (group: string) => page.getByRole('dialog').getByRole('region', { name: group })
  await stage(page)
    .getByRole('figure')
    .first()
    .getByRole('button', { name: /^Actions: / })
    .click()
  await actions('Keep').getByRole('button', { name: 'Favourite', pressed: false }).click()
  await actions('Keep').getByRole('button', { name: 'Favourite', pressed: true }).waitFor()
  await actions('Send').getByRole('button', { name: 'Share' }).waitFor()
  await actions('Next shot').getByRole('button', { name: 'Use last frame' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText(/^The film begins with this image\./).waitFor()
})

test('film: reuse settings, variation → the form has them, with a new seed', async () => {
  const { page } = await withFilm()
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await untilSays(page.getByLabel('Prompt'), 'A heron: at dusk')
  await page.getByRole('radio', { name: '9:16', checked: true }).waitFor()
  await page.getByRole('button', { name: 'Model Delta 1.5' }).waitFor()
  await page.getByText('More options').click()
  const seed = page.getByRole('textbox', { name: 'Seed' })
  assert.equal(await seed.inputValue(), '')
  await stage(page).getByRole('button', { name: 'Variation' }).click()
  await until(async () => /^\d+$/.test(await seed.inputValue()), 'a seed')
})

test('form: seed that is no whole number of its range → the field says so, a press shows it and sends nothing; no wheel changes it', async () => {
  const { page } = await withFilm()
  let films = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/video/generate')) films += 1
  })
  const more = page.getByText('More options')
  const seed = page.getByRole('textbox', { name: 'Seed' })
  const generate = page.getByRole('button', { name: /^Generate · / })
  await page.getByLabel('Prompt').fill('A heron')
  await more.click()
  for (const refused of ['-5', '1.5', '12345678901234567890', 'seven']) {
    await seed.fill(refused)
    await page.getByText('Write a whole number from 0 to 2,147,483,647.').waitFor()
    await more.click()
    await seed.waitFor({ state: 'hidden' })
    await generate.click()
    await until(async () => (await page.evaluate('document.activeElement?.name')) === 'seed', 'the focus on the seed')
    assert.equal(await seed.inputValue(), refused)
  }
  await page.reload()
  await generate.waitFor()
  assert.equal(films, 0)
  const sentSeed = async () => {
    const sent = page.waitForRequest('**/api/v1/video/generate')
    await generate.click()
    return (await sent).postDataJSON().seed
  }
  await more.click()
  await seed.fill('70117')
  await seed.hover()
  await page.mouse.wheel(0, 120)
  assert.equal(await sentSeed(), 70117)
  await seed.fill('')
  assert.equal(await sentSeed(), undefined)
})

test('film: its last frame → the start image of the next one, of the same settings', async () => {
  const { page } = await withFilm()
  await stage(page).getByRole('button', { name: 'Use last frame' }).click()
  await page.getByText(/^The film begins with this image\./).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'A heron: at dusk')
})

test('film: its model extends films → the form continues it', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await film(kinora, ann, { prompt: 'A crane', model: 'extending' })
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await stage(page).getByRole('button', { name: 'Extend' }).click()
  await page.getByText('Continues one of your films.').waitFor()
  await page.getByRole('button', { name: 'Model Extending' }).waitFor()
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: /^Generate · / }).click()
  assert.deepEqual((await sent).postDataJSON().inputs, [{ role: 'film', video: uuid }])
})

test('film: its model extends none, and edits none → its last frame instead; the form has one that edits, and a notice names both', async () => {
  const { page } = await withFilm()
  const next = stage(page).getByRole('region', { name: 'Next shot' })
  await next.getByRole('button', { name: 'Use last frame' }).waitFor()
  assert.equal(await next.getByRole('button', { name: 'Extend' }).count(), 0)
  await next.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('Describe what changes in it; this film stays as it is.').waitFor()
  const notice = String(await page.getByText(/ cannot do this: .+ is chosen\.$/).textContent())
  const chosen = notice.replace(/^.* cannot do this: (.+) is chosen\.$/, '$1')
  await page.getByRole('button', { name: `Model ${chosen}` }).waitFor()
})

test('film: upscaled → sizes with prices in a dialog, the price on the button, and the copy on the stage', async () => {
  const { page, uuid } = await withFilm()
  await stage(page).getByRole('button', { name: 'Upscale…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upscale this film' })
  await dialog.getByRole('button', { name: 'Upscale · 2 credits', exact: true }).waitFor()
  assert.deepEqual(await dialog.locator('label').allInnerTexts(), [
    '1080p\n2 credits',
    '1440p\n4 credits',
    '4k\n7 credits',
  ])
  for (let n = 0; n < 2; n += 1) await page.keyboard.press('ArrowDown')
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await dialog.getByRole('button', { name: 'Upscale · 7 credits' }).click()
  const inputs = [{ role: 'film', video: uuid }]
  const body = { model: 'bytedance-video-upscaler', inputs, quality: '4k' }
  assert.deepEqual((await sent).postDataJSON(), body)
  await dialog.waitFor({ state: 'hidden' })
  await stage(page).getByText('ByteDance Video Upscaler · 4 s · 7 credits').waitFor()
})

test('player: film of 1080p → larger sizes alone, and the copy’s page; no upscaler → no button', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await film(kinora, ann, { prompt: 'A crane', quality: '1080p' })
  const { page, expect } = await visit({ as: ann })
  // The price is read again when credits are frozen, perhaps after the model was switched off.
  expect(/\b400\b.*video\/quote$/)
  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Upscale…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upscale this film' })
  await dialog.getByRole('button', { name: /^Upscale · / }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/library/') && !url.pathname.endsWith(uuid))
  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: 'v1 A crane' }).click()
  await page.waitForURL(`**/library/${uuid}`)
  const upscaler = modelOf('bytedance-video-upscaler')
  models().set(upscaler.id, { ...upscaler, enabled: false })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('link', { name: 'Download' }).waitFor()
  await until(async () => (await page.getByRole('button', { name: 'Upscale…' }).count()) === 0, 'no button')
  models().set(upscaler.id, upscaler)
})

test('dialog: its script cannot be loaded → the error page, whose button loads the page again', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(kinora, ann, { prompt: 'A crane' })
  const { page, expect } = await visit({ as: ann })
  expect(/share-dialog/)
  let isLost = true
  await page.route('**/assets/share-dialog*.js', (route) => (isLost ? route.abort() : route.continue()))
  await page.goto('/')
  await stage(page).getByRole('button', { name: 'Share' }).click()
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  isLost = false
  await page.getByRole('button', { name: 'Load again' }).click()
  await stage(page).getByRole('button', { name: 'Share' }).click()
  await page.getByRole('dialog', { name: 'Share this film' }).waitFor()
})

test('film: download → a file that is named by its prompt', async () => {
  const { page } = await withFilm()
  const download = page.waitForEvent('download')
  await stage(page).getByRole('link', { name: 'Download' }).click()
  assert.equal((await download).suggestedFilename(), 'A heron at dusk.mp4')
})

test('film: portrait → as tall as the stage; compared with another → side by side, until one is wanted', async () => {
  const { page, ann } = await withFilm()
  const box = await stage(page).locator('video').boundingBox()
  assert.ok(box && box.height > 360 && box.height > box.width, JSON.stringify(box))
  await film(kinora, ann, { prompt: 'A swan' })
  await page.reload()
  await stage(page).getByRole('button', { name: 'Compare…' }).click()
  await page.getByText('Choose the film to compare it with.').waitFor()
  await stage(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Your latest films' }).waitFor()
  await stage(page).getByRole('button', { name: 'Compare…' }).click()
  await frameOf(page, 'A heron: at dusk').click()
  await until(async () => (await stage(page).locator('video').count()) === 2, 'both films')
  await stage(page).getByRole('button', { name: 'One film' }).click()
  await stage(page).getByRole('link', { name: 'A swan' }).waitFor()
})

test('film: on the stage, deleted through the API → the stage leaves it, though the page has read it', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(kinora, ann, { prompt: 'A swan' })
  const uuid = await film(kinora, ann, { prompt: 'A heron: at dusk' })
  const { page, expect } = await visit({ as: ann })
  expect(/\b404\b/)
  await page.goto('/')
  await frameOf(page, 'A heron: at dusk').click()
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await untilSays(page.getByRole('textbox', { name: 'Prompt' }), 'A heron: at dusk')
  await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })
  await stage(page).getByRole('link', { name: 'A swan' }).waitFor()
  assert.equal(await frameOf(page, 'A heron: at dusk').count(), 0)
})

test('library: a film that is older than the strip → shown on the stage, with what one does with it', async () => {
  const { page, ann, uuid } = await withFilm()
  for (let count = 0; count < 21; count += 1) await film(kinora, ann, { prompt: `A swan ${count}` })

  await page.goto(`/library/${uuid}`)
  await page.getByRole('link', { name: 'Show on the stage' }).click()
  await stage(page).getByRole('link', { name: 'A heron: at dusk' }).waitFor()
  await page.waitForURL((url) => url.pathname === '/' && url.search === '')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A crane')
  await stage(page).getByRole('button', { name: 'Reuse settings' }).click()
  await page.getByRole('textbox', { name: 'Prompt' }).and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Prompt' }).inputValue(), 'A heron: at dusk')
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await page.getByRole('textbox', { name: 'Prompt' }).inputValue(), 'A crane')
})
