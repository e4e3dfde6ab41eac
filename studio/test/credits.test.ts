/** Credits in the browser: what is shown follows the service, and the books are recomputed from every row. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/harness.ts'
import { openBrowser, untilSays } from './browser.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

/** Somebody with this many rows, one gift of a credit each, and 60 credits more. */
async function personWithRows(rows: number): Promise<Person> {
  const person = await kinora.person()
  for (let n = 1; n < rows; n += 1) await kinora.grant(person, 1)
  return person
}

const historyPage = /\/credit\/history\?pageSize=100/
const check = (page: Page) => page.getByRole('button', { name: 'Check', exact: true }).click()

test('the quantities, what expires when, and a history of a film that was made and one that failed', async () => {
  const ann = await kinora.person()
  const made = await kinora.generate(ann)
  await kinora.finish(ann, made.data.uuid)
  const failed = await kinora.generate(ann, { prompt: 'Fog [fail: too thick]', duration: 5 })
  await kinora.finish(ann, failed.data.uuid)
  const running = await kinora.generate(ann, { prompt: 'A gate' })
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  for (const [name, amount] of [
    ['Available', '28'],
    ['Frozen', '16'],
    ['Used', '16'],
    ['Total', '60'],
  ] as const)
    await page.getByRole('term').filter({ hasText: name }).locator('+ dd').getByText(amount, { exact: true }).waitFor()
  await page.getByText('28 credits', { exact: true }).waitFor()
  const rows = page.getByRole('table').locator('tbody tr')
  await rows.nth(4).waitFor()
  assert.match((await rows.nth(0).textContent()) ?? '', /Film VIDEO_CONSUME−1628Frozen/)
  assert.match((await rows.nth(1).textContent()) ?? '', /Film, credits returned REFUND\+2044Released/)
  assert.match((await rows.nth(2).textContent()) ?? '', /Film VIDEO_CONSUME−2024Released/)
  assert.match((await rows.nth(3).textContent()) ?? '', /Film VIDEO_CONSUME−1644Settled/)
  const film = rows.nth(0).getByRole('link', { name: 'The film' })
  assert.equal(await film.getAttribute('href'), `/library/${running.data.uuid}`)
})

test('the filter stands in the address, and an address with a filter shows it', async () => {
  const { page } = await visit({ as: await personWithRows(3) })
  await page.goto('/credits?type=NEW_USER')
  await page.getByText('There is no movement of this kind: Welcome gift.').waitFor()
  await page.getByLabel('Kind of movement').selectOption('Added by an administrator')
  await page.getByText('3 of 3 shown').waitFor()
  assert.equal(new URL(page.url()).search, '?type=SYSTEM_ADJUST')
  await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '90 days' }).click()
  await page.waitForURL(/type=SYSTEM_ADJUST&period=90d|period=90d&type=SYSTEM_ADJUST/)
  await page.reload()
  await untilSays(page.getByLabel('Kind of movement'), 'SYSTEM_ADJUST')
  await page.goto('/credits?type=nonsense')
  await page.getByText('3 of 3 shown').waitFor()
})

test('a long history comes a page at a time', async () => {
  const { page } = await visit({ as: await personWithRows(30) })
  await page.goto('/credits')
  await page.getByText('25 of 30 shown').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('30 of 30 shown').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  const numbers = await page.locator('tbody td:last-child').allTextContents()
  assert.equal(new Set(numbers).size, 30)
})

test('neither a page that was asked for nor what is new is lost when both are read at the same moment', async () => {
  const ann = await personWithRows(30)
  const { page } = await visit({ as: ann })
  const rows = '**/api/v1/credit/history?pageSize=25*'
  const hold = async () => {
    const route = Promise.withResolvers<Route>()
    await page.route(rows, route.resolve, { times: 1 })
    return route.promise
  }
  await page.goto('/credits')
  await page.getByText('25 of 30 shown').waitFor()
  const more = page.getByRole('button', { name: 'Show more' })

  const nextPage = hold()
  await more.click()
  const asked = await nextPage
  await kinora.generate(ann)
  await page.getByRole('link', { name: '73 credits' }).waitFor()
  await asked.continue()
  await page.getByText('31 of 31 shown').waitFor()

  await page.reload()
  await page.getByText('25 of 31 shown').waitFor()
  const again = hold()
  await kinora.generate(ann)
  const readAnew = await again
  await more.click()
  await readAnew.continue()
  await page.getByText('32 of 32 shown').waitFor()
})

test('the chart can be read by keyboard, movement by movement', async () => {
  const ann = await kinora.person()
  await kinora.grant(ann, 40)
  await kinora.generate(ann)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  const chart = page.getByRole('slider', { name: 'Available over time' })
  const told = () => chart.getAttribute('aria-valuetext')
  await chart.focus()
  assert.match((await told()) ?? '', /: −16, Film; 84 credits available after it$/)
  await page.keyboard.press('ArrowLeft')
  assert.match((await told()) ?? '', /: \+40, Added by an administrator; 100 credits available after it$/)
  await page.getByText('100 available', { exact: true }).waitFor()
  await page.keyboard.press('Home')
  assert.match((await told()) ?? '', /; 60 credits available after it$/)
})

test('somebody without a credit is told what will be here, and where credits come from', async () => {
  const { page } = await visit({ as: await kinora.person({ credits: 0 }) })
  await page.goto('/credits')
  await page.getByText('Every credit that comes or goes will be listed here.').waitFor()
  await page.getByText('No movement in this time: 0 available throughout.').waitFor()
  await page.getByText('Nothing is left, so nothing expires.').waitFor()
  await check(page)
  await page.getByText('The books are right. 0 rows').waitFor()
})

test('the file has every row, whatever is filtered, and no cell that a spreadsheet would run', async () => {
  const ann = await personWithRows(130)
  const admin = await kinora.person({ role: 'admin' })
  const gift = { userId: ann.userId, credits: 2, expiryDays: 5, remark: '=HYPERLINK("http://x")' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', { as: admin, body: gift })).status, 200)
  await kinora.generate(ann)
  const { page } = await visit({ as: ann })
  await page.goto('/credits?type=REFUND')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export all as CSV' }).click()
  const download = await coming
  assert.match(download.suggestedFilename(), /^kinora-credits-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  assert.equal(lines.length, 1 + 132 + 1)
  assert.match(lines[1] ?? '', /,VIDEO_CONSUME,-16,175,frozen,/, 'a negative number stays one')
  assert.match(lines[2] ?? '', /,SYSTEM_ADJUST,2,191,,,,"'=HYPERLINK\(""http:\/\/x""\)",/)
  await page.getByText('The file has 132 rows.').waitFor()
})

test('an export that is stopped makes no file', async () => {
  const { page } = await visit({ as: await personWithRows(101) })
  await page.goto('/credits')
  await page.getByText('25 of 101 shown').waitFor()
  const held: Route[] = []
  await page.route(/pageSize=100&cursor/, (route) => void held.push(route))
  let downloads = 0
  page.on('download', () => {
    downloads += 1
  })
  await page.getByRole('button', { name: 'Export all as CSV' }).click()
  await page.getByText('100 of 101 rows').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Export all as CSV' }).waitFor()
  assert.equal(downloads, 0)
})

test('the books are right, and every check says what it compared', async () => {
  const ann = await personWithRows(120)
  const { data } = await kinora.generate(ann)
  await kinora.finish(ann, data.uuid)
  await kinora.generate(ann)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  await check(page)
  await page.getByText('The books are right. 122 rows, 10 checks, no difference.').waitFor()
  await page.getByText('179 = 147 + 16 + 16 + 0 + 0').waitFor()
})

test('rows that come, and films that are finished, while the books are read make no difference', async () => {
  const ann = await personWithRows(120)
  const first = await kinora.generate(ann)
  await kinora.grant(ann, 1)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  await page.getByText('25 of 122 shown').waitFor()
  let pages = 0
  // The first page has been read when the second is asked for: that is when a film is finished and another one begun.
  await page.route(/pageSize=100&cursor/, async (route) => {
    pages += 1
    if (pages === 1) {
      await kinora.finish(ann, first.data.uuid)
      await kinora.generate(ann)
    }
    await route.continue()
  })
  // And credits come when the rows have been read again and the balance has not.
  let asked = 0
  await page.route(/credit\/packages/, async (route) => {
    asked += 1
    if (asked === 1) await kinora.grant(ann, 7)
    await route.continue()
  })
  await check(page)
  await page.getByText('The books are right. 124 rows').waitFor()
  await page.getByText('187 = 155 + 16 + 16 + 0 + 0').waitFor()
})

test('a row that was tampered with is found, and named by its number', async () => {
  const ann = await personWithRows(4)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  let number = ''
  await page.route(historyPage, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const row = body.data.transactions[1]
    row.balanceAfter += 1000
    number = row.transNo
    await route.fulfill({ response, json: body })
  })
  await check(page)
  await page.getByText('1 of 10 checks found a difference.').waitFor()
  const wrong = page.getByRole('listitem').filter({ hasText: 'Differs' }).getByRole('listitem')
  assert.match((await wrong.nth(0).textContent()) ?? '', new RegExp(`^${number}, .*expected 62 after it, found 1,062`))
  assert.equal(await wrong.count(), 2)
})

test('a service that asks for patience is given it', async () => {
  const { page, expect } = await visit({ as: await personWithRows(2) })
  expect(/429/)
  await page.goto('/credits')
  await page.getByText('2 of 2 shown').waitFor()
  let refused = 0
  await page.route(historyPage, async (route) => {
    refused += 1
    if (refused > 1) return route.continue()
    const error = { code: 'RATE_LIMITED', message: 'Too many requests; wait.', requestId: 'r' }
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { success: false, data: {}, error } })
  })
  await check(page)
  await page.getByText('The books are right. 2 rows').waitFor()
})
