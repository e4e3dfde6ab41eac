/** An administrator who acts as a user: what the dialog offers, what the banner says, and what the user sees of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { createUser, pathOf } from './named-user.ts'

const kinora = await openKinora({})
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const REASON = 'Asked for help with a film'

test('impersonation: dialog left as it is → read only; with a reason → the banner and the user’s sessions name it, and the user ends it', async () => {
  const eve = await createUser(kinora, 'Eve Who')
  const { page, expect } = await browser.visit({ as: root })
  const begin = async (reason?: string) => {
    await page.goto(pathOf(eve))
    await page.getByRole('button', { name: 'Act as this user…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Act as Eve Who?' })
    const submit = dialog.getByRole('button', { name: 'Act as this user' })
    assert.ok(await dialog.getByLabel('Read only').isChecked())
    if (reason) {
      await dialog.getByLabel('Change something, with a reason').check()
      assert.ok(await submit.isDisabled(), 'without a reason')
      await dialog.getByLabel('Reason', { exact: true }).fill(reason)
    }
    await submit.click()
  }
  await begin()
  await page.getByText(`You are an administrator acting as ${eve.email}, read only.`).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('heading', { name: 'Eve Who' }).waitFor()
  await begin(REASON)
  await page.getByText(`Each change is recorded with your name and your reason: ${REASON}`).waitFor()

  const user = await browser.visit({ as: eve })
  await user.page.goto('/account')
  const row = user.page.getByRole('listitem').filter({ hasText: 'An administrator of this service, acting as you' })
  await row.getByText(`May change something. Reason: ${REASON}`).waitFor()
  await row.getByText(`Administrator ${root.userId}, until `).waitFor()
  // The requests of the administrator's page are refused from then on.
  expect(/status of 401/)
  await row.getByRole('button', { name: /^Sign out An administrator/ }).click()
  await row.waitFor({ state: 'detached' })
})
