/** The studio page: a film from sign-up to playback, prices, failures, lost responses, drafts and start images. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { completeSlowVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { providersWith } from '../../server/test/support/providers-with.ts'
import { openBrowser, until, untilPlays, untilSays } from './browser.ts'
import { PASSWORD, signUp } from './sign-up.ts'
import { chooseModel, frameOf } from './studio-form.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit, tab } = await openBrowser(kinora, { hasMotion: true })

test('generate: new user signs up and clicks once → the film is on the stage, right of the form, and plays by itself', async () => {
  const { page } = await visit({ viewport: { width: 1280, height: 800 } })
  await page.goto('/')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.waitForURL('**/sign-up')
  await signUp(page, 'Ada')
  const generate = page.getByRole('button', { name: 'Generate · 30 credits' })
  await generate.waitFor()
  assert.equal(await page.evaluate('scrollY'), 0)
  await generate.click()
  await frameOf(page, 'A paper boat').waitFor()
  await page.getByText('Done', { exact: true }).waitFor()
  await untilPlays(page)
  const film = page.locator('video')
  assert.ok(await film.evaluate((video: { muted: boolean; loop: boolean }) => video.muted && video.loop))
  const [filmBox, buttonBox] = [await boxOf(film), await boxOf(generate)]
  assert.equal(await page.evaluate('scrollY'), 0)
  assert.ok(filmBox.top >= 0 && filmBox.bottom <= 800 && buttonBox.bottom <= 800 && filmBox.left > buttonBox.right)
  assert.match(await page.getByLabel('Prompt').inputValue(), /^A paper boat/)
})

test('generate: film fails → the reason, the credits returned, and its settings for another try', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A lighthouse [fail: The fog was too thick.]')
  await chooseModel(page, 'Delta 1.5')
  await page.getByRole('button', { name: 'Generate · 20 credits' }).click()
  await page.getByText('The fog was too thick.', { exact: true }).waitFor()
  await page.getByRole('main').getByText('20 credits returned').waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
  await page.getByLabel('Prompt').fill('Another idea')
  await chooseModel(page, 'Alpha 2')
  await page.getByRole('link', { name: 'Try again' }).click()
  await untilSays(page.getByLabel('Prompt'), 'A lighthouse [fail: The fog was too thick.]')
  await page.getByRole('button', { name: 'Model Delta 1.5' }).waitFor()
  await until(async () => (await focusedField(page)) === 'prompt', 'the focus on the prompt')
})

test('price: settings changed → the button shows the price, or how many credits are missing', async () => {
  const { page } = await visit({ as: await kinora.person({ credits: 50 }) })
  await page.goto('/')
  const remaining = page.getByRole('complementary', { name: 'Price' })
  await page.getByRole('button', { name: 'Generate · 30 credits' }).waitFor()
  await remaining.getByText('20 credits').waitFor()
  await page.getByLabel('Duration').fill('9')
  await page.getByRole('link', { name: 'Get credits · 4 missing' }).waitFor()
  await chooseModel(page, 'Delta 1.5')
  await page.getByRole('radio', { name: '1080p', exact: true }).check()
  await page.getByRole('link', { name: 'Get credits · 22 missing' }).waitFor()
  await page.getByRole('radio', { name: '720p', exact: true }).check()
  await page.getByRole('button', { name: 'Generate · 36 credits' }).waitFor()
  await remaining.getByText('14 credits').waitFor()
  await page.getByRole('button', { name: 'Generate' }).click()
  await page.getByText('Write what the film shows.').waitFor()
  assert.equal(await focusedField(page), 'prompt', 'the focus moves to the empty prompt')
})

test('price: quote is late → the button has the new price at once; a press waits for it, and lapses when it is another one', async () => {
  const { page } = await visit({ as: await kinora.person({ credits: 1000 }) })
  let raisedBy = 0
  let isLate = false
  const sent: unknown[] = []
  await page.route('**/api/v1/video/quote', async (route) => {
    const response = await route.fetch()
    await until(async () => !isLate, 'the time of the quote')
    const body = await response.json()
    body.data.credits += raisedBy
    await route.fulfill({ response, json: body })
  })
  await page.route('**/api/v1/video/generate', (route) => {
    sent.push(route.request().postDataJSON().n ?? 1)
    return route.continue()
  })
  const pressLate = async (films: string, price: string) => {
    isLate = true
    await page.getByRole('radio', { name: films, exact: true }).check()
    await page.getByRole('button', { name: price }).click()
    await page.getByRole('button', { name: price, disabled: true }).waitFor()
    isLate = false
    await page.getByRole('button', { name: /^Generate/, disabled: false }).waitFor()
  }
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A heron')
  raisedBy = 5
  await pressLate('2', 'Generate 2 films · 60 credits')
  await page.getByRole('button', { name: 'Generate 2 films · 65 credits' }).waitFor()
  assert.deepEqual(sent, [])
  raisedBy = 0
  await pressLate('3', 'Generate 3 films · 90 credits')
  await until(async () => sent.length > 0, 'the films')
  assert.deepEqual(sent, [3])
})

test('draft: session expires before submit → restored after signing in again', async () => {
  const { page, context, expect } = await visit()
  expect(/\b401\b/)
  await page.goto('/sign-up')
  await signUp(page, 'Ben')
  await page.getByLabel('Prompt').fill('A comet over a sleeping town')
  await chooseModel(page, 'Delta 1.5')
  await page.getByRole('button', { name: 'Generate · 20 credits' }).waitFor()
  // Simulates the cookie's expiry, at this request: an earlier one would find the session ended before the click.
  await page.route('**/api/v1/video/generate', async (route) => {
    await context.clearCookies()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Generate · 20 credits' }).click()
  await page.getByText('Your session has ended.').waitFor()
  await page.route('**/api/v1/video/generate', (route) => route.continue())
  await page.getByLabel('E-mail').fill('ben@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Generate · 20 credits' }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'A comet over a sleeping town')
})

test('draft: session ends while the prompt is typed → no key is lost or typed into the sign-in form', async () => {
  const ann = await kinora.person()
  const { page, expect } = await visit({ as: ann })
  expect(/\b401\b/)
  await page.goto('/')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).waitFor()
  await page.getByLabel('Prompt').focus()
  let typed = ''
  const typeWord = async () => {
    await page.keyboard.type('comet ', { delay: 20 })
    typed += 'comet '
  }
  let isRefused = false
  page.on('response', (response) => {
    isRefused ||= response.status() === 401
  })
  await typeWord()
  const ending = kinora.call('POST', '/api/auth/sign-out', { as: ann, body: {} })
  while (!isRefused) await typeWord()
  await ending
  for (let n = 0; n < 10; n += 1) await typeWord()
  assert.equal(await page.getByLabel('Prompt').inputValue(), typed)
  await page.getByText('Your session has ended.').waitFor()
  await page.getByLabel('E-mail').waitFor()
  await page.keyboard.type('and more')
  assert.equal(await page.getByLabel('E-mail').inputValue(), '')
  const draft = await page.evaluate(`JSON.parse(localStorage.getItem('kinora.draft.${ann.userId}')).prompt`)
  assert.equal(draft, typed)
})

test('generate: reload during generation → progress and draft are restored', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A slow river [slow: 60s]')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await page.getByText('Generating', { exact: true }).waitFor()
  await page.reload()
  await page.getByRole('progressbar', { name: 'Progress of A slow river' }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'A slow river [slow: 60s]')
  const { data } = await kinora.call<{ videos: { uuid: string }[] }>('GET', '/api/v1/video/list', { as: ann })
  await completeSlowVideo(kinora, ann, data.videos[0]?.uuid ?? '')
  await page.getByText('Done', { exact: true }).waitFor()
  await untilPlays(page)
})

test('generate: cancelled during generation → the provider is asked, which the page says; then cancelled, credits returned', async (t) => {
  // The provider stops only then: a worker may poll while the cancel is being answered.
  let isStopped = false
  providersWith(t, kinora.app, {
    cancel: async () => 'requested',
    poll: async () =>
      isStopped ? { kind: 'failed', failure: { code: 'CANCELLED', message: '' } } : { kind: 'running', progress: 10 },
  })
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A slow canal [slow: 60s] [silent]')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await page.getByText('Generating', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText(/was asked to stop this film\. It may finish it all the same/).waitFor()
  isStopped = true
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await page.getByText('Cancelled while it was being made; your credits are back.', { exact: true }).waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
})

test('generate: film generated in one tab → the other tab shows its progress and result', async () => {
  const ben = await visit({ as: await kinora.person() })
  const other = await tab(ben)
  await other.goto('/')
  await other.getByText('Your films will be here').waitFor()
  await ben.page.goto('/')
  await ben.page.getByLabel('Prompt').fill('Two swans')
  await ben.page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await other.getByRole('link', { name: 'Two swans' }).waitFor()
  await other.getByText('Done', { exact: true }).waitFor()
  await other.getByRole('link', { name: '30 credits' }).waitFor()
})

test('generate: response lost on a phone → the retry is idempotent, one film, on the stage below the button', async () => {
  const ann = await kinora.person()
  const viewport = { width: 375, height: 667 }
  const { page, context, expect } = await visit({ as: ann, viewport, hasTouch: true, isMobile: true })
  expect(/ERR_FAILED/)
  let lost = 0
  await context.route('**/api/v1/video/generate', async (route) => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort()
  })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('One heron')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await frameOf(page, 'One heron').waitFor()
  await page.getByText('Done', { exact: true }).waitFor()
  const film = await boxOf(page.locator('video'))
  assert.ok(film.top >= 56 && film.top < viewport.height)
  const { data } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.deepEqual([lost, data.total], [1, 1])
})

test('generate form: ?again= or ?model= in the URL → prefilled once, then the draft counts', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: 'Geese over a lake', duration: 6, aspectRatio: '21:9' })
  const { page } = await visit({ as: ann })
  await page.goto(`/?again=${data.uuid}`)
  await page.getByRole('button', { name: 'Generate · 24 credits' }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'Geese over a lake')
  await page.getByRole('radio', { name: '21:9', checked: true }).waitFor()
  await page.waitForURL((url) => url.search === '')
  await page.getByLabel('Prompt').fill('Cranes over a lake')
  await page.reload()
  // The draft takes precedence over the link.
  await untilSays(page.getByLabel('Prompt'), 'Cranes over a lake')
  await page.goto('/?model=beta-3-1')
  await page.getByRole('button', { name: 'Model Beta 3.1' }).waitFor()
})

test('prompt: written from right to left → so in the field, on the card, in the library and on the film’s page', async () => {
  const ann = await kinora.person()
  const prompt = 'مركب ورقي يعبر بركة عند الفجر.'
  const { data } = await kinora.generate(ann, { prompt })
  const { page } = await visit({ as: ann })
  const isRightToLeft = (element: Locator) =>
    element.evaluate((shown: { matches: (selector: string) => boolean }) => shown.matches(':dir(rtl)'))
  await page.goto('/')
  await page.getByLabel('Prompt').fill(prompt)
  assert.ok(await isRightToLeft(page.getByLabel('Prompt')))
  assert.ok(await isRightToLeft(page.getByRole('link', { name: prompt })))
  for (const path of ['/library', `/library/${data.uuid}`]) {
    await page.goto(path)
    assert.ok(await isRightToLeft(page.getByText(prompt, { exact: true })), path)
  }
})

test('prompt: a character too many → both numbers are grouped like every other', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('x'.repeat(5001))
  await page.getByText('The prompt has 5,001 characters; at most 5,000 fit.').waitFor()
})

test('start image: picked, dropped or pasted → the film begins with it', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  const buffer = Buffer.from(await page.screenshot())
  await page.getByLabel('Start image', { exact: true }).setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer })
  await page.getByText('An image is a PNG, JPEG, WebP or AVIF file.').waitFor()
  await page.getByLabel('Start image', { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await page.getByText('The film begins with this image.').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  for (const kind of ['drop', 'paste']) {
    await page.evaluate(dispatchFile(kind, buffer.toString('base64')))
    await page.getByText('The film begins with this image.').waitFor()
    if (kind === 'drop') await page.getByRole('button', { name: 'Remove' }).click()
  }
  await page.reload()
  await page.getByText('The film begins with this image.').waitFor()
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  const { data } = await kinora.call<{ videos: { uuid: string }[] }>('GET', '/api/v1/video/list', { as: ann })
  const made = await kinora.call('GET', `/api/v1/video/${data.videos[0]?.uuid}`, { as: ann })
  assert.match(String(made.data.startImageUrl), /\/files\//)
})

/** Where an element is in the viewport, in CSS pixels. */
async function boxOf(element: Locator) {
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {}
  return { left: x, right: x + width, top: y, bottom: y + height }
}

/** Script that dispatches a drop or paste event with a file. */
const dispatchFile = (kind: string, base64: string) => `{
  const data = new DataTransfer()
  const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))
  data.items.add(new File([bytes], 'a.png', { type: 'image/png' }))
  const options = { bubbles: true, cancelable: true }
  const event = '${kind}' === 'drop'
    ? new DragEvent('drop', { ...options, dataTransfer: data })
    : new ClipboardEvent('paste', { ...options, clipboardData: data })
  document.querySelector('textarea').dispatchEvent(event)
}`

const focusedField = (page: Page) => page.evaluate('document.activeElement?.name')
