/** The administration pages: deleting a user, and the layout of pages with long names and addresses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { deliverAll, paymentEnv } from '../../server/test/support/payment/payment-delivery.ts'
import { eventA, startOfToday, subscriptionA } from '../../server/test/support/payment/payment-events.ts'
import { openBrowser } from './browser.ts'
import { createUser, pathOf } from './named-user.ts'

const kinora = await openKinora({ env: paymentEnv })
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const DAY_MS = 86_400_000
const { sql } = kinora.app

test('user: deletion, with reason and typed address → the dialog lists what is erased and kept; books and audit log remain', async () => {
  const ann = await createUser(kinora, 'Ann who leaves')
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(ann))
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the account of Ann who leaves?' })
  await dialog.getByText(/^Deleted: sessions, keys, name and e-mail address at once; films, /).waitFor()
  await dialog
    .getByText(/^Stays: credits, history, payments and audit, .* 60 credits can no longer be used\./)
    .waitFor()
  const button = dialog.getByRole('button', { name: 'Delete account' })
  await dialog.getByLabel(`Type ${ann.email} to confirm`).fill(ann.email)
  assert.ok(await button.isDisabled(), 'without a reason')
  await dialog.getByLabel('Reason').fill('Asked for it by e-mail')
  await button.dblclick()
  await page.getByText(`The account of ${ann.email} is deleted.`).waitFor()
  await page.getByRole('heading', { name: 'deleted user' }).waitFor()
  await page.getByText('Deleted', { exact: true }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete account…' }).count(), 0)
  assert.equal(await page.getByRole('region', { name: 'Give credits' }).count(), 0)
  await page.getByRole('row', { name: /Added by an administrator.*\+60/ }).waitFor()

  await page.getByRole('link', { name: 'What administrators did' }).click()
  await page.getByRole('link', { name: ann.userId, exact: true }).waitFor()
  const row = page.getByRole('row', { name: /Account deleted.*Asked for it by e-mail/ })
  await row.getByRole('link', { name: 'Deleted user' }).click()
  await page.waitForURL(`**${pathOf(ann)}`)
  await page.goto('/admin/users?q=deleted')
  await page.getByRole('row', { name: new RegExp(`^deleted user ${ann.userId} .* Deleted$`) }).waitFor()
})

test('user: renewing subscription → deletion refused with the reason; own account → deleted on the account page', async () => {
  const ben = await createUser(kinora, 'Ben who subscribes')
  const period = { start: startOfToday(), end: startOfToday() + 30 * DAY_MS }
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', subscriptionA('sub_of_ben', ben.userId, period)))
  const { page, expect } = await browser.visit({ as: root })
  expect(/\b409\b.*admin\/users\//)
  await page.goto(pathOf(ben))
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Chargebacks')
  await dialog.getByLabel(/^Type /).fill(ben.email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText(/^The subscription of this user still renews/).waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('heading', { name: 'Ben who subscribes' }).waitFor()
  await page.goto(pathOf(root))
  await page.getByRole('region', { name: 'Take credits back' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete account…' }).count(), 0)
})

test('user: locked, unlocked, made an administrator and a user, then acted as → a banner until the administrator stops, and the audit has each step', async () => {
  const eve = await createUser(kinora, 'Eve Who')
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(eve))
  await page.getByRole('button', { name: 'Lock…' }).click()
  await page.getByLabel('Reason').last().fill('Chargebacks')
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByText('Until an administrator unlocks it: Chargebacks').waitFor()
  await page.getByRole('button', { name: 'Unlock' }).click()
  for (const [button, role] of [
    ['Make an administrator…', 'Administrator'],
    ['Make a user…', 'User'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByLabel('Reason').last().fill('On call')
    await page.getByRole('button', { name: 'Change the role' }).click()
    await page.getByRole('region', { name: 'Who it is' }).getByText(role, { exact: true }).waitFor()
  }
  await page.getByRole('button', { name: 'Act as this user…' }).click()
  await page.getByRole('button', { name: 'Act as this user', exact: true }).click()
  await page.getByText(`You are an administrator acting as ${eve.email}, read only.`).waitFor()
  await page.getByLabel('Prompt').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('heading', { name: 'Eve Who' }).waitFor()
  const rows = await sql<{ action: string }[]>`
    select action from kinora.audit where user_id = ${eve.userId} and actor_id = ${root.userId} and action like 'user.%' order by id
  `
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['user.ban', 'user.unban', 'user.set-role', 'user.set-role', 'user.impersonate', 'user.stop-impersonating'],
  )
})

for (const { width, colorScheme } of [
  { width: 375, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const) {
  test(`${width} px, ${colorScheme}: long name and e-mail address, eight digits in each column → cut in tables, with the whole text as title; no page or dialog is wider than the screen`, async () => {
    const long = `${'a-mailbox-with-a-very-long-name-'.repeat(2)}${width}`
    const cleo = await createUser(kinora, 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2), {
      email: `${long}@example.com`,
    })
    const admin = await kinora.person({ role: 'admin', credits: 0 })
    await sql`update public."user" set "email" = ${`${long}.of-the-administrator@example.com`} where id = ${admin.userId}`
    const body = { userId: cleo.userId, credits: 1, remark: 'A-reason-without-a-space-'.repeat(8) }
    assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', { as: admin, body })).status, 200)
    const { page } = await browser.visit({ as: admin, colorScheme, viewport: { width, height: 800 } })
    // No account of the ledger has eight digits in every column.
    await page.route('**/api/v1/admin/users?*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = (await response.json()) as { data: { users: { credits: Record<string, number> }[] } }
      const wide = (credits: Record<string, number>) =>
        Object.fromEntries(Object.keys(credits).map((name) => [name, 99_999_999]))
      const users = data.users.map((user) => ({ ...user, role: 'admin', banned: true, credits: wide(user.credits) }))
      await route.fulfill({ response, json: { ...rest, data: { ...data, users } } })
    })
    const filter = `userId=${cleo.userId}&actorId=${admin.userId}`
    for (const path of [`/admin/users?q=${long}`, pathOf(cleo), `/admin/audit?${filter}`]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText(cleo.email).first().waitFor()
      if (path.includes('?q=')) await page.getByText('99,999,999').first().waitFor()
      await page.locator('tbody tr').first().waitFor()
      const overflowPx = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      assert.ok(overflowPx <= 0, `${path}: ${overflowPx} px wider`)
      const widest = await page.evaluate<number>(
        "Math.max(0, ...[...document.querySelectorAll('tbody td, tbody th')].map(({ clientWidth }) => clientWidth))",
      )
      assert.ok(widest < 360, `${path}: a cell of ${widest} px`)
      const frame =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-frame'))"
      if (width === 1280) assert.ok((await page.evaluate<number>(frame)) <= 0, `${path}: the table does not fit`)
      if (path !== pathOf(cleo)) assert.ok((await page.getByTitle(cleo.email).count()) > 0, path)
    }
    const dialogOverflowPx = () =>
      page.evaluate<number>(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))",
      )
    await page.getByRole('button', { name: 'Credits given' }).click()
    await page.getByRole('dialog').waitFor()
    assert.ok((await dialogOverflowPx()) <= 0, 'the entry')
    await page.goto(pathOf(cleo))
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByRole('dialog').waitFor()
    assert.ok((await dialogOverflowPx()) <= 0, 'the deletion')
  })
}
