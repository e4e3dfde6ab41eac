/** Keyboard shortcuts, which are disabled while a dialog is open, and where the focus goes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import { completeVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilPlays } from './browser.ts'
import { PASSWORD } from './sign-up.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora, { hasMotion: true })

/** Focus restoration happens shortly after the page has rendered. */
const untilFocused = (page: Page, text: RegExp) =>
  until(async () => text.test(await page.evaluate('document.activeElement.textContent')), `the focus on ${text}`)

/** Presses Tab until the element has the focus; fails where the Tab key does not reach it. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < 60; presses += 1) {
    if (await element.evaluate((each: { matches: (selector: string) => boolean }) => each.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${element}`)
}

test('keyboard alone: from the visitors’ page to a film that is shared → each step is reached by Tab', async () => {
  const { page, context } = await visit()
  const press = async (name: RegExp | string, role: 'link' | 'button' = 'button') => {
    await tabTo(page, page.getByRole(role, { name }).first())
    await page.keyboard.press('Enter')
  }
  await page.goto('/')
  await press('Create account', 'link')
  for (const [label, text] of [
    ['Name', 'Kay'],
    ['E-mail', 'kay@example.com'],
    ['Password', PASSWORD],
  ] as const) {
    await tabTo(page, page.getByLabel(label))
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('textbox', { name: 'Prompt' }))
  await page.keyboard.type('A heron in the reeds')
  await press(/^Generate · /)
  // The page shows the film before the service has it.
  let made: { userId: string; id: string } | undefined
  await until(async () => {
    ;[made] = await kinora.app.sql<{ userId: string; id: string }[]>`
      select user_id, id from kinora.video where prompt = 'A heron in the reeds'
    `
    return made !== undefined
  }, 'the film')
  if (made) await completeVideo(kinora, made, made.id)
  await press('Share')
  await press('Make a link')
  const link = await page.getByRole('dialog').getByRole('link', { name: 'Open' }).getAttribute('href')
  await page.keyboard.press('Escape')
  await untilFocused(page, /^Share/)
  const shared = await context.newPage()
  await shared.goto(link ?? assert.fail('no link'))
  await untilPlays(shared)
})

test('shortcuts dialog: keys while it is open → no effect on the page; closed → the focus is restored', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A heron')
  await page.getByRole('button', { name: /^Generate · / }).focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard' })
  await list.waitFor()
  for (const key of ['Control+Enter', 'g', 'l']) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await untilFocused(page, /^Generate/)
  assert.equal(new URL(page.url()).pathname, '/')
  const { data } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal(data.total, 0)
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
})

test('navigation shortcuts: focus on a radio button or a slider, after a click on it → they work', async () => {
  const { page } = await visit({ as: await kinora.person() })
  for (const [role, name] of [
    ['radio', '9:16'],
    ['slider', 'Duration'],
  ] as const) {
    await page.goto('/')
    await page.getByRole(role, { name }).click()
    for (const key of ['g', 'l']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Library' }).waitFor()
  }
})

test('navigation shortcuts: prefix key typed before the previous page has loaded → not lost', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/library')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
  for (const key of ['g', 'c', 'g']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
  await page.keyboard.press('l')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
})

test('cancel by keyboard: film fails → the focus moves to its frame in the strip, and the result is announced', async () => {
  const ann = await kinora.person()
  // The film stays pending without a worker.
  await kinora.generate(ann, { prompt: 'A heron' })
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await untilFocused(page, /^A heron · /)
  await page
    .getByRole('log', { name: 'Your films' })
    .getByText(/^Film failed: A heron\. Cancelled .* back\. .*redits returned$/)
    .waitFor()
})

test('busy button: pressed by keyboard → it keeps the focus, and a second press or Enter in a field sends nothing', async () => {
  const { page, context, expect } = await visit()
  expect(/\b401\b.*sign-in\/email$/)
  const requests: Route[] = []
  await context.route('**/api/auth/sign-in/email', (route) => void requests.push(route))
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await button.press('Enter')
  await page.locator('[aria-busy="true"]').waitFor()
  await untilFocused(page, /^Sign in$/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Password').press('Enter')
  await button.focus()
  await requests[0]?.continue()
  await page.getByText('The e-mail address or the password is wrong.').waitFor()
  await untilFocused(page, /^Sign in$/)
  assert.equal(requests.length, 1)
})

test('form: saved by keyboard, so that its button is disabled → the button keeps the focus, and saves nothing again', async () => {
  const { page, context } = await visit({ as: await kinora.person() })
  let requests = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/api/auth/update-user') && request.postDataJSON().name) requests += 1
  })
  await page.goto('/account')
  await page.getByLabel('Name').fill('Anna')
  const button = page.getByRole('button', { name: 'Save name' })
  await button.press('Enter')
  await page.getByText('Your name is changed.').waitFor()
  await button.and(page.locator('[aria-disabled]:not([aria-busy])')).waitFor()
  await untilFocused(page, /^Save name$/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').press('Enter')
  await page.getByLabel('Name').fill('Anne')
  await button.press('Enter')
  await until(async () => requests === 2, 'the second name')
})
