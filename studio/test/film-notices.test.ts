/** Notices of a film that has ended elsewhere: a toast, a notification of the browser, a sound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'
import { countStreams, setVisibility } from './tabs.ts'

// A film stays pending without a worker until the test finishes it.
const kinora = await openKinora({ simulator: true })
const { visit, tab } = await openBrowser(kinora)

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByRole('link')
const announced = (page: Page, text: string) => page.getByRole('log').getByText(text).waitFor()

/** A page of the studio that shows no film, with its stream open. */
async function plans(page: Page): Promise<void> {
  const streams = countStreams(page.context())
  await page.goto('/plans')
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor()
  await until(async () => streams.open() === 1, 'the stream')
}

test('toast: film done while another page is open → poster, state and prompt; a click opens the film', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await plans(page)
  const uuid = await completedVideo(kinora, ann, { prompt: 'A heron waits' })
  const notice = notices(page)
  await notice.getByText('A heron waits').waitFor()
  await notice.getByText('Done', { exact: true }).waitFor()
  const poster = notice.locator('img')
  assert.match((await poster.getAttribute('src')) ?? '', /\/files\/video\/.*\.jpg/)
  assert.equal(await notice.locator('xpath=..').locator('xpath=..').getAttribute('aria-live'), 'off')
  await notice.click()
  await page.waitForURL(`**/library/${uuid}`)
  await notice.waitFor({ state: 'detached' })
})

test('toast: sign-out → it goes too', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await plans(page)
  await completedVideo(kinora, ann, { prompt: 'A heron waits' })
  await notices(page).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/sign-in')
  assert.equal(await notices(page).count(), 0)
})

test('toast: film failed → the reason', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await plans(page)
  const { data } = await kinora.generate(ann, { prompt: 'Gulls [fail: no luck]' })
  await kinora.finish(ann, data.uuid)
  await notices(page).getByText('no luck', { exact: true }).waitFor()
  await notices(page).getByText('Failed', { exact: true }).waitFor()
})

test('toast: two tabs, and the tab that showed it closed → one toast in all', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  await plans(first.page)
  const second = await tab(first)
  await second.goto('/plans')
  await second.getByRole('heading', { name: 'Plans', exact: true }).waitFor()
  await completedVideo(kinora, ann, { prompt: 'A heron waits' })
  for (const page of [first.page, second]) await announced(page, 'Film done: A heron waits')
  await notices(first.page).waitFor()
  assert.equal(await notices(second).count(), 0)
  // A third tab takes over the stream, which repeats the last two minutes. The next film proves that it has read them.
  const third = await tab(first)
  await third.goto('/plans')
  await third.getByRole('heading', { name: 'Plans', exact: true }).waitFor()
  for (const page of [first.page, second]) await page.close()
  await completedVideo(kinora, ann, { prompt: 'Gulls' })
  await notices(third).getByText('Gulls').waitFor()
  assert.equal(await notices(third).count(), 1)
})

test('toast: page that shows the film → none', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  const streams = countStreams(page.context())
  await page.goto('/')
  await until(async () => streams.open() === 1, 'the stream')
  await completedVideo(kinora, ann, { prompt: 'A heron waits' })
  await announced(page, 'Film done: A heron waits')
  await until(() => page.evaluate(`localStorage.getItem('kinora.reported') !== null`), 'the report')
  assert.equal(await notices(page).count(), 0)
})

/** Records notifications and sounds in the place of the browser's own, which a headless one does not show. */
const RECORDER = `{
  const recorded = { asked: 0, shown: [], tones: 0 }
  globalThis.recorded = recorded
  globalThis.Notification = class {
    static permission = 'default'
    static requestPermission = async () => {
      recorded.asked += 1
      localStorage.setItem('allowed', 'yes')
      return (globalThis.Notification.permission = 'granted')
    }
    constructor(title, options) {
      this.close = () => {}
      recorded.shown.push({ title, ...options })
      recorded.last = this
    }
  }
  if (localStorage.getItem('allowed')) globalThis.Notification.permission = 'granted'
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...at) {
    recorded.tones += 1
    return start.apply(this, at)
  }
}`
type Recorded = { asked: number; tones: number; shown: { title: string; body: string; icon?: string }[] }
const recorded = (page: Page) => page.evaluate<Recorded>('({ ...recorded, last: null })')

test('notification and sound: chosen on the account page → shown while the tab is hidden; its click opens the film', async () => {
  const ann = await kinora.person()
  const visited = await visit({ as: ann })
  const { page, context } = visited
  await context.addInitScript(RECORDER)
  const streams = countStreams(context)
  await page.goto('/account')
  const box = page.getByRole('checkbox', { name: 'Notifications while you look elsewhere' })
  await box.waitFor()
  assert.equal((await recorded(page)).asked, 0)
  await box.check()
  await until(async () => (await recorded(page)).shown.length === 1, 'the first notification')
  await page.getByRole('checkbox', { name: 'A short sound' }).check()
  assert.equal((await recorded(page)).tones, 2)

  await until(async () => streams.open() === 1, 'the stream')
  await setVisibility(page, 'hidden')
  const uuid = await completedVideo(kinora, ann, { prompt: 'A heron waits' })
  await until(async () => (await recorded(page)).shown.length === 2, 'the notification of the film')
  const { shown, tones } = await recorded(page)
  assert.deepEqual([shown[1]?.title, shown[1]?.body, tones], ['Film done', 'A heron waits', 4])
  assert.match(shown[1]?.icon ?? '', /\.jpg/)
  assert.equal(await notices(page).count(), 0)

  // A visible tab takes the stream over from the hidden one, which reads it only while no other does.
  const second = await tab(visited)
  await second.goto('/plans')
  await second.getByRole('heading', { name: 'Plans', exact: true }).waitFor()
  await until(async () => streams.open(page) === 0 && streams.open(second) === 1, 'the stream of the visible tab')
  await completedVideo(kinora, ann, { prompt: 'Gulls' })
  await notices(second).getByText('Gulls').waitFor()
  assert.equal((await recorded(page)).shown.length, 2)

  await page.evaluate('recorded.last.onclick()')
  await page.waitForURL(`**/library/${uuid}`)
})

test('notification: blocked by the browser → the reason, and the choice stays off', async () => {
  const { page, context } = await visit({ as: await kinora.person() })
  await context.addInitScript(`Notification.requestPermission = async () => 'denied'`)
  await page.goto('/account')
  const box = page.getByRole('checkbox', { name: 'Notifications while you look elsewhere' })
  await box.click()
  await page.getByText('This browser blocks notifications of this site.').waitFor()
  assert.equal(await box.isChecked(), false)
})
