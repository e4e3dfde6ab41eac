/** The credits page: balance, history, chart, CSV export, and the ledger check that runs in the browser. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { completedVideo, completeVideo } from '../../server/test/support/completed-video.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, untilSays } from './browser.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

/** A user with this many transactions: 60 credits, then grants of one credit each. */
async function personWithTransactions(count: number): Promise<Person> {
  const person = await kinora.person()
  for (let n = 1; n < count; n += 1) await kinora.grant(person, 1)
  return person
}

/** The requests of the ledger check and of the export; the page's own have other sizes. */
const historyRequest = /\/credit\/history\?pageSize=100/
const startCheck = (page: Page) => page.getByRole('button', { name: 'Verify', exact: true }).click()

test('credits: films done, failed and in progress → balance, packages and history reflect them', async () => {
  const ann = await kinora.person()
  await completedVideo(kinora, ann)
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
  assert.match((await rows.nth(0).textContent()) ?? '', /Film −1628Frozen/)
  assert.match((await rows.nth(1).textContent()) ?? '', /Film, credits returned \+2044Released/)
  assert.match((await rows.nth(2).textContent()) ?? '', /Film −2024Released/)
  assert.match((await rows.nth(3).textContent()) ?? '', /Film −1644Settled/)
  const film = rows.nth(0).getByRole('link', { name: 'A gate' })
  assert.equal(await film.getAttribute('href'), `/library/${running.data.uuid}`)
})

test('history: filter → kept in the URL and restored from it; an unknown type shows all', async () => {
  const { page } = await visit({ as: await personWithTransactions(3) })
  await page.goto('/credits?type=NEW_USER')
  await page.getByText('There is no movement of this kind: Welcome gift.').waitFor()
  await page.getByLabel('Kind of movement').selectOption('Adjustments and moves')
  await page.getByText('3 of 3 shown').waitFor()
  assert.equal(new URL(page.url()).search, '?type=SYSTEM_ADJUST')
  await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '90 days' }).click()
  await page.waitForURL(/type=SYSTEM_ADJUST&period=90d|period=90d&type=SYSTEM_ADJUST/)
  await page.reload()
  await untilSays(page.getByLabel('Kind of movement'), 'SYSTEM_ADJUST')
  await page.goto('/credits?type=nonsense')
  await page.getByText('3 of 3 shown').waitFor()
})

test('history: more than one page → "Show more" appends the rest without duplicates', async () => {
  const { page } = await visit({ as: await personWithTransactions(30) })
  await page.goto('/credits')
  await page.getByText('25 of 30 shown').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('30 of 30 shown').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  const numbers = await page.locator('tbody td:first-child code').allTextContents()
  assert.equal(new Set(numbers).size, 30)
})

/** The page of the history, with a function for the next request to it, which is blocked until continued. */
async function historyOf(person: Person) {
  const { page } = await visit({ as: person })
  const nextRequest = async () => {
    const { promise, resolve } = Promise.withResolvers<Route>()
    let isHeld = false
    await page.route('**/api/v1/credit/history?pageSize=25*', async (route) => {
      if (isHeld) return route.fallback()
      isHeld = true
      resolve(route)
    })
    return promise
  }
  await page.goto('/credits')
  await page.getByText('25 of 30 shown').waitFor()
  return { page, nextRequest, showMore: page.getByRole('button', { name: 'Show more' }) }
}

test('history: refetch during the request for the next page → neither is lost', async () => {
  const ann = await personWithTransactions(30)
  const { page, nextRequest, showMore } = await historyOf(ann)
  const pageRequest = nextRequest()
  await showMore.click()
  const pageRoute = await pageRequest
  await kinora.generate(ann)
  await page.getByRole('link', { name: '73 credits' }).waitFor()
  await pageRoute.continue()
  await page.getByText('31 of 31 shown').waitFor()
})

test('history: "Show more" and a second refetch during a refetch → none is lost', async () => {
  const ann = await personWithTransactions(30)
  const { page, nextRequest, showMore } = await historyOf(ann)
  const refetchRequest = nextRequest()
  await kinora.generate(ann)
  const refetchRoute = await refetchRequest
  const response = await refetchRoute.fetch()
  await kinora.generate(ann)
  await page.getByRole('link', { name: '57 credits' }).waitFor()
  await showMore.click()
  await refetchRoute.fulfill({ response })
  await page.getByText('32 of 32 shown').waitFor()
})

test('history: "Show more" before a refetch that has begun is rendered → neither is lost', async () => {
  const ann = await personWithTransactions(30)
  const { page } = await historyOf(ann)
  await page.evaluate(`{
    const { fetch } = window
    window.fetch = (request, ...rest) => {
      if (request.url.includes('/credit/history?pageSize=25')) {
        window.fetch = fetch
        ;[...document.querySelectorAll('button')].find((button) => button.textContent === 'Show more').click()
      }
      return fetch(request, ...rest)
    }
  }`)
  await kinora.generate(ann)
  await page.getByText('31 of 31 shown').waitFor()
  await page.getByRole('cell', { name: /^Film/ }).first().waitFor()
})

test('chart: arrow keys → aria-valuetext describes each transaction', async () => {
  const ann = await kinora.person()
  await kinora.grant(ann, 40)
  await kinora.generate(ann)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  const chart = page.getByRole('slider', { name: 'Available over time' })
  const valueText = () => chart.getAttribute('aria-valuetext')
  await chart.focus()
  assert.match((await valueText()) ?? '', /: −16, Film; 84 credits available after it$/)
  await page.keyboard.press('ArrowLeft')
  assert.match((await valueText()) ?? '', /: \+40, Added by an administrator; 100 credits available after it$/)
  await page.getByText('100 available', { exact: true }).waitFor()
  await page.keyboard.press('Home')
  assert.match((await valueText()) ?? '', /; 60 credits available after it$/)
})

test('credits: user without any credit → explanations, and the ledger check passes', async () => {
  const { page } = await visit({ as: await kinora.person({ credits: 0 }) })
  await page.goto('/credits')
  await page.getByText('Every credit that comes or goes will be listed here.').waitFor()
  await page.getByText('No movement in this time: 0 available throughout.').waitFor()
  await page.getByText('Nothing is left, so nothing expires.').waitFor()
  await startCheck(page)
  await page.getByText('The books are right. 0 rows').waitFor()
})

test('CSV export: filtered history → the file has every row, with formulas escaped', async () => {
  const ann = await personWithTransactions(130)
  const admin = await kinora.person({ role: 'admin' })
  const gift = { userId: ann.userId, credits: 2, expiryDays: 5, remark: '=HYPERLINK("http://x")' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', { as: admin, body: gift })).status, 200)
  await kinora.generate(ann)
  const { page } = await visit({ as: ann })
  await page.goto('/credits?type=REFUND')
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export all as CSV' }).click()
  const download = await downloadEvent
  assert.match(download.suggestedFilename(), /^kinora-credits-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  assert.equal(lines.length, 1 + 132 + 1)
  assert.match(lines[1] ?? '', /,VIDEO_CONSUME,-16,175,frozen,/, 'a negative number is not escaped')
  assert.match(lines[2] ?? '', /,SYSTEM_ADJUST,2,191,,,,"'=HYPERLINK\(""http:\/\/x""\)",/)
  await page.getByText('The file has 132 rows.').waitFor()
})

test('CSV export: stopped → no file', async () => {
  const { page } = await visit({ as: await personWithTransactions(101) })
  await page.goto('/credits')
  await page.getByText('25 of 101 shown').waitFor()
  const blocked: Route[] = []
  await page.route(/pageSize=100&cursor/, (route) => void blocked.push(route))
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

test('ledger check: consistent ledger → every check passes with its amounts', async () => {
  const ann = await personWithTransactions(120)
  await completedVideo(kinora, ann)
  await kinora.generate(ann)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  await startCheck(page)
  await page.getByText('The books are right. 122 rows, 11 checks, no difference.').waitFor()
  await page.getByText('179 = 147 + 16 + 16 + 0 + 0').waitFor()
})

test('ledger check: transactions created and settled while it reads → a consistent snapshot, no difference', async () => {
  const ann = await personWithTransactions(120)
  const first = await kinora.generate(ann)
  await kinora.grant(ann, 1)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  await page.getByText('25 of 122 shown').waitFor()
  let pages = 0
  const settled = Promise.withResolvers<void>()
  // When the second page is requested, after the first was read, one film finishes and another one starts.
  await page.route(/pageSize=100&cursor/, async (route) => {
    pages += 1
    if (pages === 1) {
      await completeVideo(kinora, ann, first.data.uuid)
      await kinora.generate(ann)
      settled.resolve()
    }
    await route.continue()
  })
  // Credits are granted between the second read of the transactions and that of the balance.
  let packageRequests = 0
  await page.route(/credit\/packages/, async (route) => {
    packageRequests += 1
    if (packageRequests === 1) await kinora.grant(ann, 7)
    await route.continue()
  })
  await startCheck(page)
  await settled.promise
  await page.getByText('The books are right. 124 rows').waitFor()
  await page.getByText('187 = 155 + 16 + 16 + 0 + 0').waitFor()
})

test('ledger check: tampered transaction → named by its number', async () => {
  const ann = await personWithTransactions(4)
  const { page } = await visit({ as: ann })
  await page.goto('/credits')
  let number = ''
  await page.route(historyRequest, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const row = body.data.transactions[1]
    row.balanceAfter += 1000
    number = row.transNo
    await route.fulfill({ response, json: body })
  })
  await startCheck(page)
  await page.getByText('2 of 11 checks found a difference.').waitFor()
  const differences = page.getByRole('listitem').filter({ hasText: 'Differs' }).getByRole('listitem')
  assert.match(
    (await differences.nth(0).textContent()) ?? '',
    new RegExp(`^${number}, .*expected 62 after it, found 1,062`),
  )
  assert.match((await differences.nth(2).textContent()) ?? '', new RegExp(`^${number}, .*expected [0-9a-f]{64}, found`))
  assert.equal(await differences.count(), 3)
})

test('ledger check: 429 with Retry-After → the request is retried and the check completes', async () => {
  const { page, expect } = await visit({ as: await personWithTransactions(2) })
  expect(/429/)
  await page.goto('/credits')
  await page.getByText('2 of 2 shown').waitFor()
  let requests = 0
  await page.route(historyRequest, async (route) => {
    requests += 1
    if (requests > 1) return route.continue()
    const error = { code: 'RATE_LIMITED', message: 'Too many requests; wait.', requestId: 'r' }
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { success: false, data: {}, error } })
  })
  await startCheck(page)
  await page.getByText('The books are right. 2 rows').waitFor()
})
