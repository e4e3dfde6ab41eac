/** The administration pages: access, users, grants, unfinished videos, payment events and providers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { deliverAll, paymentEnv, stateOf } from '../../server/test/support/payment/payment-delivery.ts'
import { checkoutA, eventA, eventB, newName } from '../../server/test/support/payment/payment-events.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { createUser, pathOf } from './named-user.ts'

const kinora = await openKinora({ env: paymentEnv })
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const MINUTE_MS = 60_000
const { sql } = kinora.app

test('403: user without the admin role → redirected to the studio, which has no administration link', async () => {
  const ann = await kinora.person()
  const { page } = await browser.visit({ as: ann })
  for (const path of ['/admin', '/admin/users', pathOf(root), '/admin/ledger']) {
    await page.goto(path)
    await page.waitForURL(`${kinora.url}/`)
  }
  await page.getByRole('link', { name: 'Library' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0)
  for (const path of ['users', 'videos', 'providers', 'payments/events']) {
    assert.equal((await kinora.call('GET', `/api/v1/admin/${path}`, { as: ann })).status, 403)
  }
})

test('users: search → kept in the URL, and "Show more" loads the following pages', async () => {
  const many = 30
  for (let n = 0; n < many; n += 1) await createUser(kinora, `Searched ${n}`, { credits: 0 })
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByLabel('Search users').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('searched')
  await page.getByText(`25 of ${many} shown`).waitFor()
  await page.waitForURL((url) => url.search === '?q=searched')
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(`${many} of ${many} shown`).waitFor()
  assert.equal(await page.getByRole('row', { name: /^Searched/ }).count(), many)
  await page.reload()
  await untilSays(page.getByLabel('Search users'), 'searched')
  await page.getByLabel('Search users').fill('no such name')
  await page.getByText('No user’s e-mail address or name has “no such name” in it').waitFor()
})

test('grant: previewed and confirmed → the credits and the remark appear for administrator and user', async () => {
  const ann = await createUser(kinora, 'Ann of the grant')
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/users?q=ann%20of%20the%20grant')
  await page.getByRole('link', { name: 'Ann of the grant' }).click()
  await page.getByRole('textbox', { name: 'Credits' }).fill('500')
  await page.getByLabel('Valid for, in days').fill('30')
  await page.getByLabel('Remark').fill('Sorry for the outage')
  await page.getByRole('region', { name: 'Give credits' }).getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give credits to Ann of the grant' })
  await dialog.getByText(/^Ann of the grant has 60 credits\. After this: 560, of which 500 expire on /).waitFor()
  assert.equal((await kinora.balance(ann)).available, 60, 'the preview grants nothing')
  await dialog.getByRole('button', { name: 'Give 500 credits' }).click()
  await page.getByText(/^500 credits given, good until .* Ann of the grant has 560 credits now\.$/).waitFor()
  await page
    .getByRole('row', { name: /\d\d:\d\d:\d\d UTC [\w-]+ Added by an administrator.*\+500.*560.*Sorry for the outage/ })
    .waitFor()

  const { page: userPage } = await browser.visit({ as: ann })
  await userPage.goto('/credits')
  await userPage.getByRole('link', { name: '560 credits' }).waitFor()
  await userPage.getByText('Sorry for the outage').waitFor()
})

test('grant: double click or lost response → granted once, with one idempotency key', async () => {
  const bob = await createUser(kinora, 'Bob')
  const { page, expect } = await browser.visit({ as: root })
  const keys: (string | undefined)[] = []
  await page.route('**/api/v1/admin/credits/add', async (route) => {
    const isFirst = keys.push(route.request().headers()['idempotency-key']) === 1
    const response = await route.fetch()
    if (isFirst) await route.abort()
    else await route.fulfill({ response })
  })
  expect(/ERR_FAILED.*credits\/add$/)
  await page.goto(pathOf(bob))
  const preview = async () => {
    await page.getByRole('textbox', { name: 'Credits' }).fill('7')
    await page.getByRole('region', { name: 'Give credits' }).getByRole('button', { name: 'Preview' }).click()
  }
  await preview()
  const confirm = page.getByRole('button', { name: 'Give 7 credits' })
  await confirm.dblclick()
  await page.getByText('The service cannot be reached').waitFor()
  assert.equal(keys.length, 1, 'a double click sends one request')
  // A reopened dialog with the same values retries the unconfirmed grant; its preview shows the refetched balance.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await preview()
  await page.getByText(/^Bob has 67 credits\./).waitFor()
  await confirm.dblclick()
  await page.getByText(/^7 credits given, .* Bob has 67 credits now\.$/).waitFor()
  assert.equal((await kinora.balance(bob)).available, 67)
  assert.equal(new Set(keys).size, 1)
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/)

  // Equal values are a new grant after a confirmed one.
  await preview()
  await confirm.click()
  await page.getByText(/Bob has 74 credits now\.$/).waitFor()
  assert.equal(new Set(keys).size, 2)
})

test('videos: list open → shows why each video waits, refetches periodically, and pauses while a row has the focus', async () => {
  const [cleo, dora] = [await kinora.person(), await kinora.person()]
  const overdue = (await kinora.generate(cleo)).data.uuid
  const dueAt = new Date(kinora.app.now().getTime() - 5 * MINUTE_MS)
  await sql`update kinora.video set due_at = ${dueAt} where id = ${overdue}`
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/videos')
  await page.getByRole('link', { name: 'Overdue 1' }).click()
  await page.waitForURL('**/admin/videos?state=overdue')
  const row = page.getByRole('row', { name: new RegExp(overdue) })
  await row
    .filter({ hasText: /^OverdueOverdue: no worker has looked at it since .*Is a worker running\?.*5 minutes ago/ })
    .waitFor()

  const others = (await kinora.generate(dora)).data.uuid
  await page.getByRole('link', { name: 'In progress' }).click()
  await page.getByRole('row', { name: new RegExp(others) }).waitFor()
  await row.getByRole('link', { name: cleo.email }).focus()
  await page.getByText('Paused while you are at a row.').waitFor()
  const third = (await kinora.generate(dora)).data.uuid
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Read again every 5 seconds.').waitFor()
  await page.getByRole('row', { name: new RegExp(third) }).waitFor()

  await row.getByRole('link', { name: cleo.email }).click()
  await page.getByRole('link', { name: 'Why they take so long' }).click()
  await page.waitForURL(`**/admin/videos?userId=${cleo.userId}`)
  await row.waitFor()
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByLabel('Provider').selectOption('provider-a')
  await page.getByText('None of these films is in progress.').waitFor()
})

test('videos: ended ones by outcome and error, a uuid → its page with user, route, credits and log', async () => {
  const eli = await kinora.person({ credits: 1000 })
  const done = await completedVideo(kinora, eli, { model: 'alpha-2' })
  const failed = (await kinora.generate(eli)).data.uuid
  await kinora.call('POST', `/api/v1/video/${failed}/cancel`, { as: eli })
  await sql`
    update kinora.video set error_code = 'PROVIDER_ERROR', error = 'It ran out of luck' where user_id = ${eli.userId} and id = ${failed}
  `
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(eli))
  await page.getByRole('link', { name: 'Films that ended' }).click()
  await page.getByRole('row', { name: /^Done.*24$/ }).waitFor()
  const row = page.getByRole('row', { name: new RegExp(failed) })
  await row.filter({ hasText: 'It ran out of luck PROVIDER_ERROR' }).waitFor()
  await page.getByLabel('Outcome').selectOption('Done')
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('Outcome').selectOption('Every outcome')
  await page.getByLabel('Search films').fill('OUT OF luck')
  await page.getByRole('row', { name: new RegExp(done) }).waitFor({ state: 'detached' })
  await row.getByRole('link', { name: failed }).click()
  await page.getByRole('heading', { name: 'Film', exact: true }).waitFor()
  await page.getByRole('link', { name: eli.email }).waitFor()
  await page.getByText('16 credits, Released').waitFor()
  await page.getByRole('region', { name: 'Log' }).getByText('cancelled').first().waitFor()
  await page.goto('/admin/videos')
  await page.getByLabel('Search films').fill(done)
  await page.waitForURL(`**/admin/videos/${done}`)
  await page.getByText('24 credits, Settled').waitFor()
})

test('payment event: unmatched, a user selected → applied once to that user, after a preview', async () => {
  const [gus, ivo] = [
    await createUser(kinora, 'Gus of the payment', { credits: 0 }),
    await createUser(kinora, 'Ivo of the payment', { credits: 0 }),
  ]
  const event = eventA('checkout.completed', checkoutA(null))
  const ignored = eventB('customer.created', { id: newName('cus') })
  await deliverAll(kinora, 'payment-a', event)
  await deliverAll(kinora, 'payment-b', ignored)
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/payments')
  await page.getByRole('row', { name: new RegExp(`Ignored.*Nothing follows.*${ignored.id}`) }).waitFor()
  await page.getByRole('link', { name: 'Unmatched' }).click()
  const row = page.getByRole('row', { name: new RegExp(event.id) })
  assert.match((await row.textContent()) ?? '', /^UnmatchedIt names no user.*Not done yet: Gives \d+ credits/)
  await row.getByRole('button', { name: 'checkout.completed' }).click()
  await page.getByRole('dialog').getByText('"prod_pack_starter"').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  await row.getByRole('button', { name: 'Apply' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Preview' }).isDisabled())
  await dialog.getByLabel('User').fill('of the payment')
  await dialog.getByRole('radio', { name: ivo.email }).waitFor()
  await dialog.getByRole('radio', { name: gus.email }).check()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(/^Gives \d+ credits/).waitFor()
  await dialog.getByText('To Gus of the payment, who has 0 credits now.').waitFor()
  assert.equal(await stateOf(kinora, event), 'unmatched')
  await dialog.getByRole('button', { name: 'Apply' }).dblclick()
  await page.getByText('No event waits for an administrator to name its user.').waitFor()
  assert.equal(await stateOf(kinora, event), 'applied')
  const { available } = await kinora.balance(gus)
  assert.ok(available > 0)
  assert.equal((await kinora.balance(ivo)).available, 0)
  await page.getByRole('link', { name: 'Applied' }).click()
  await row.getByRole('link', { name: 'The user' }).click()
  await page.getByRole('row', { name: new RegExp(`Pack bought.*\\+${available}`) }).waitFor()
})

test('payment event: to be tried again by itself → says when', async () => {
  const event = eventB('customer.subscription.updated', { id: newName('sub') })
  await deliverAll(kinora, 'payment-b', event)
  const retryAt = new Date(Date.now() + 20 * MINUTE_MS)
  await sql`
    update kinora.payment_event set state = 'failed', reason = 'Its lines could not be read.', retry_at = ${retryAt}
    where external_id = ${event.id}
  `
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/payments?state=failed')
  await page
    .getByRole('row', { name: /^Failed Its lines could not be read\. Tried again by itself in (19|20) minutes/ })
    .waitFor()
})

test('payment event: failed → dismissed with a reason, leaves the list, and is listed as dismissed', async () => {
  const event = eventA('checkout.completed', checkoutA(null, { product: { id: 'prod_of_another_shop' } }))
  await deliverAll(kinora, 'payment-a', event)
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/payments?state=failed')
  const row = page.getByRole('row', { name: new RegExp(event.id) })
  await row.getByRole('button', { name: 'Dismiss' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Dismiss' }).isDisabled())
  await dialog.getByLabel('Reason').fill('Sold by the other shop')
  await dialog.getByRole('button', { name: 'Dismiss' }).dblclick()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Dismissed' }).click()
  await row.getByText('Sold by the other shop').waitFor()
  assert.match((await row.textContent()) ?? '', /^DismissedSold by the other shopDismissed .*prod_of_another_shop/)
  assert.equal(await row.getByRole('button', { name: 'Dismiss' }).count(), 0)
  assert.equal(await stateOf(kinora, event), 'dismissed')
  await page.goto('/admin/audit')
  await page
    .getByRole('row', { name: /^Payment event dismissed.*State failed → dismissed.*Sold by the other shop/ })
    .waitFor()
})

test('providers: three films that went to another provider → the card’s health changes from "Quiet" to "Failing"', async () => {
  const hana = await kinora.person({ credits: 1000 })
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/providers')
  const card = page.getByRole('region', { name: 'provider-b' })
  await card.getByText('Idle').waitFor()
  for (let n = 0; n < 3; n += 1) await kinora.generate(hana)
  await page.getByText('Nothing ended in the last hour, so nothing is known.').waitFor()
  // No server listens at the providers' address: after four submissions that are not accepted, the other provider is
  // next.
  await kinora.workUntil(async () => {
    const [row] = await sql<[{ films: number }]>`
      select count(distinct v.id) as films
      from kinora.video v join kinora.video_log l on l.user_id = v.user_id and l.video_id = v.id
      where v.user_id = ${hana.userId} and l.detail like 'provider-b: %' and v.providers[v.provider_index] <> 'provider-b'
    `
    return row.films === 3
  })
  await until(async () => (await card.getByText('Failing', { exact: true }).count()) === 1, 'the health label')
  assert.match((await card.textContent()) ?? '', /Failed100%, (\d+) of \1/)
})
