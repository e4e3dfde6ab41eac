/** Making a film in the studio: from the front door to the film that plays, and what happens when something comes between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser, untilPlays, untilSays } from './browser.ts'
import { PASSWORD, signUp } from './doors.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit, tab } = await openBrowser(kinora)

test('a stranger signs up, presses once and watches a film', async () => {
  const { page } = await visit()
  await page.goto('/')
  await page.waitForURL('**/sign-up')
  await signUp(page, 'Ada')
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByRole('list').getByText('Done', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'A paper boat' }).hover()
  await untilPlays(page)
})

test('a failure says why, and that the credits are back, with the number', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A lighthouse [fail: The fog was too thick.]')
  await page.getByRole('radio', { name: 'Delta 1.5' }).check()
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  await page.getByText('The fog was too thick.', { exact: true }).waitFor()
  await page.getByRole('main').getByText('16 credits returned').waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
})

test('the price stands on the button, what is left beside it, and what is missing where it is too much', async () => {
  const { page } = await visit({ as: await kinora.person({ credits: 50 }) })
  await page.goto('/')
  const left = page.getByRole('complementary', { name: 'Price' })
  await page.getByRole('button', { name: 'Generate · 24 credits' }).waitFor()
  await left.getByText('26 credits').waitFor()
  await page.getByLabel('Length').fill('9')
  await page.getByRole('link', { name: 'Get credits · 4 missing' }).waitFor()
  await page.getByRole('radio', { name: 'Delta 1.5' }).check()
  await page.getByRole('radio', { name: '1080p', exact: true }).check()
  await page.getByRole('link', { name: 'Get credits · 22 missing' }).waitFor()
  await page.getByRole('radio', { name: '720p', exact: true }).check()
  await page.getByRole('button', { name: 'Generate · 36 credits' }).waitFor()
  await left.getByText('14 credits').waitFor()
  await page.getByRole('button', { name: 'Generate' }).click()
  await page.getByText('Write what the film shows.').waitFor()
  assert.equal(await focused(page), 'prompt', 'an empty prompt is where one is led')
})

test('a session that ends in the middle of typing costs no word', async () => {
  const { page, context, expect } = await visit()
  expect(/\b401\b/)
  await page.goto('/sign-up')
  await signUp(page, 'Ben')
  await page.getByLabel('Prompt').fill('A comet over a sleeping town')
  await page.getByRole('radio', { name: 'Delta 1.5' }).check()
  await page.getByRole('button', { name: 'Generate · 16 credits' }).waitFor()
  // What a browser does with a cookie whose time is over.
  await context.clearCookies()
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  await page.getByText('Your session has ended.').waitFor()
  await page.getByLabel('E-mail').fill('ben@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Generate · 16 credits' }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'A comet over a sleeping town')
})

test('a page that is loaded again in the middle of a generation goes on with it', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A slow river [slow: 4s]')
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByText('Generating').waitFor()
  await page.reload()
  await page.getByRole('progressbar', { name: 'Progress of A slow river' }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'A slow river [slow: 4s]')
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'A slow river' }).hover()
  await untilPlays(page)
})

test('what is made in one tab is followed in the other', async () => {
  const ben = await visit({ as: await kinora.person() })
  const other = await tab(ben)
  await other.goto('/')
  await other.getByText('Your films will be here').waitFor()
  await ben.page.goto('/')
  await ben.page.getByLabel('Prompt').fill('Two swans')
  await ben.page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await other.getByRole('link', { name: 'Two swans' }).waitFor()
  await other.getByText('Done', { exact: true }).waitFor()
  await other.getByRole('link', { name: '36 credits' }).waitFor()
})

test('an answer that is lost makes no second film', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
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
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  const { data } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.deepEqual([lost, data.total], [1, 1])
})

test('the wishes of a film can be taken over, and those of the address', async () => {
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
  // The draft holds, not the link.
  await untilSays(page.getByLabel('Prompt'), 'Cranes over a lake')
  await page.goto('/?model=beta-3-1')
  await page.getByRole('radio', { name: 'Beta 3.1', checked: true }).waitFor()
})

test('what sign-in and sign-up refuse stands at its field', async () => {
  const { page, expect } = await visit()
  expect(/\b4(01|22)\b/)
  const ann = await kinora.person()
  await page.goto('/sign-up')
  await signUp(page, 'Ann', ann.email)
  await page.getByText('There is an account with this e-mail address already.').waitFor()
  assert.equal(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password').fill('something else')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail address or the password is wrong.').waitFor()
  assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true')
})

test('whoever is signed in passes the doors', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/sign-in?next=/library')
  await page.waitForURL('**/library')
  await page.goto('/sign-up')
  await page.getByLabel('Prompt').waitFor()
})

test('a door leads to our own pages alone, whatever the link says', async () => {
  const ann = await kinora.person()
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ]) {
    const { page, context } = await visit({ as: ann })
    await context.route('**/evil.example/**', (route) => route.fulfill({ body: 'evil' }))
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await page
      .getByLabel('Prompt')
      .or(page.getByText(/evil|broke/))
      .first()
      .waitFor()
    assert.equal(page.url(), `${kinora.url}/`, next)
  }
})

test('an address with what is no text in it opens as if it were left out', async () => {
  const { page } = await visit({ as: await kinora.person() })
  for (const [address, heading] of [
    ['/library?status={"a":1}&model=[1]&q={"b":2}', 'Library'],
    ['/credits?type={"a":1}&period=[1]', 'Credits'],
    ['/?model={"a":1}&again=[1]', null],
  ] as const) {
    await page.goto(address)
    const place = heading ? page.getByRole('heading', { name: heading, exact: true }) : page.getByLabel('Prompt')
    await place.or(page.getByText('This page broke')).first().waitFor()
    assert.equal(await page.getByText('This page broke').count(), 0, address)
  }
})

test('an image is picked, dropped or pasted, and the film begins with it', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  const buffer = Buffer.from(await page.screenshot())
  await page.getByLabel('Start image', { exact: true }).setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer })
  await page.getByText('A start image is a PNG, JPEG or WebP file.').waitFor()
  await page.getByLabel('Start image', { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await page.getByText('The film begins with this image.').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  for (const kind of ['drop', 'paste']) {
    await page.evaluate(arrival(kind, buffer.toString('base64')))
    await page.getByText('The film begins with this image.').waitFor()
    if (kind === 'drop') await page.getByRole('button', { name: 'Remove' }).click()
  }
  await page.reload()
  await page.getByText('The film begins with this image.').waitFor()
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  const { data } = await kinora.call<{ videos: { uuid: string }[] }>('GET', '/api/v1/video/list', { as: ann })
  const made = await kinora.call('GET', `/api/v1/video/${data.videos[0]?.uuid}`, { as: ann })
  assert.match(String(made.data.startImageUrl), /\/files\//)
})

/** A file that is dropped on the page or pasted into it, as text that runs there. */
const arrival = (kind: string, base64: string) => `{
  const data = new DataTransfer()
  const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))
  data.items.add(new File([bytes], 'a.png', { type: 'image/png' }))
  const options = { bubbles: true, cancelable: true }
  const event = '${kind}' === 'drop'
    ? new DragEvent('drop', { ...options, dataTransfer: data })
    : new ClipboardEvent('paste', { ...options, clipboardData: data })
  document.querySelector('textarea').dispatchEvent(event)
}`

const focused = (page: Page) => page.evaluate('document.activeElement?.name')
