/** The administration’s search, and what is done on a user’s page without acting as the user. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { createUser, pathOf } from './named-user.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app

test('leaked key: found by how it begins → revoked on its user’s page, with a reason in the audit; the account goes on', async () => {
  const ann = await createUser(kinora, 'Ann of the key')
  const made = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'server' } })
  const { start, key } = JSON.parse(made.text) as { start: string; key: string }
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/overview')
  const box = page.getByRole('searchbox', { name: 'Find a customer’s matter' })
  await box.fill(key)
  await box.press('Enter')
  await page
    .getByRole('list', { name: 'Found' })
    .getByRole('link', { name: `server (${start}…)` })
    .click()
  await page.waitForURL((url) => url.pathname === pathOf(ann) && url.search === '')
  await page.getByRole('list', { name: 'Found' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke server…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke server?' })
  await dialog.getByLabel('Reason').fill('Seen in a public repository')
  await dialog.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('There is no API key.').waitFor()
  const entries =
    await sql`select action, reason from kinora.audit where user_id = ${ann.userId} and reason is not null`
  assert.deepEqual([...entries], [{ action: 'key.revoke', reason: 'Seen in a public repository' }])
  assert.equal((await kinora.generate(ann)).status, 200)
})

test('user’s page: address, limits, a note and a tag → shown there, and the list is filtered by the tag', async () => {
  const ann = await createUser(kinora, 'Ann of the desk')
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(ann))
  const act = async (button: string, submit: string, fields: Record<string, string>) => {
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    for (const [label, text] of Object.entries({ ...fields, Reason: 'Asked for by mail' }))
      await dialog.getByLabel(label, { exact: true }).fill(text)
    await dialog.getByRole('button', { name: submit }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const email = 'ann.of.the.desk@example.com'
  await act('Change the address…', 'Change the address', { 'New e-mail address': email })
  await page.getByLabel('Who it is').getByText(email).waitFor()
  await act('Change the limits…', 'Set the limits', { 'Films in progress at a time': '2', Credits: '40' })
  const limits = page.getByRole('region', { name: 'Limits of its own' })
  await limits.getByText('0 of 40 today').waitFor()
  await act('Add a note…', 'Add the note', { Note: 'Wants an invoice by post' })
  await page.getByText('Wants an invoice by post').waitFor()
  await act('Change the tags…', 'Set the tags', { Tags: 'press, vip' })
  await page.goto('/admin/users')
  await page.getByLabel('Which users').selectOption({ label: 'Tag: press' })
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByRole('link', { name: 'Ann of the desk' }).waitFor()
})

test('film: deleted by mistake → found by its link, restored, with the gift that paid for it', async () => {
  const ann = await createUser(kinora, 'Ann of the film')
  const uuid = await completedVideo(kinora, ann)
  await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/users')
  const box = page.getByRole('searchbox', { name: 'Find a customer’s matter' })
  await box.fill(`${kinora.url}/library/${uuid}`)
  await box.press('Enter')
  await page.getByRole('list', { name: 'Found' }).getByRole('link').click()
  await page.getByRole('row', { name: /^Added by an administrator.*16/ }).waitFor()
  await page.getByRole('button', { name: 'Restore…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore the film?' })
  await dialog.getByLabel('Reason').fill('Deleted by mistake')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('The film is in the library again.').waitFor()
  await page.getByRole('button', { name: 'Restore…' }).waitFor({ state: 'detached' })
  assert.equal((await kinora.call('GET', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
})
