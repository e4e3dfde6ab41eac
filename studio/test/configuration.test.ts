/** An administrator sets up and configures a service in the browser: checklist, products, files, the way back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyModel } from '../../server/src/catalogue/catalogue.ts'
import { plans } from '../../server/src/payment/plans.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openMailServer } from '../../server/test/support/mail-server.ts'
import { openBrowser } from './browser.ts'

const smtp = await openMailServer()
const kinora = await openKinora({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'films@example.com', GIFT_AFTER: 'sign-up' } })
const browser = await openBrowser(kinora)

test('setup: first sign-in of an administrator in production → the checklist; items tested; closed → the studio', async (t) => {
  t.after(() => smtp.close())
  const [email, password] = ['root@example.com', 'four words by chance']
  const body = { name: 'Root', email, password }
  assert.equal((await kinora.call('POST', '/api/auth/sign-up/email', { body })).status, 200)
  await kinora.app.sql`update public."user" set role = 'admin' where email = ${email}`
  kinora.app.config.production = true
  t.after(() => {
    kinora.app.config.production = false
  })
  const signIn = async () => {
    const { page } = await browser.visit()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return page
  }
  const page = await signIn()
  await page.getByRole('heading', { name: 'Checklist' }).waitFor()
  await page.goto('/admin')
  await page.getByText('0 of 8 work.').waitFor()
  await page.getByRole('button', { name: 'Test: Storage' }).click()
  const storage = page.getByRole('region', { name: 'Storage' })
  await storage.getByText(/stored, read and removed a file/).waitFor()
  await storage.getByText('Works', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Test: Mail' }).click()
  await page.getByText(`took a mail to ${email}`).waitFor()
  assert.equal(smtp.to(email).filter(({ text }) => /Mail works/.test(text)).length, 1)
  await page.getByRole('button', { name: 'Test: Second factor' }).click()
  await page.getByRole('region', { name: 'Second factor' }).getByText('Something is left to do').waitFor()
  await page.getByRole('button', { name: 'Show it first no more' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('It is a test')
  await dialog.getByRole('button', { name: 'Show it first no more' }).click()
  await dialog.waitFor({ state: 'detached' })
  const again = await signIn()
  await again.getByRole('button', { name: 'Generate' }).waitFor()
})

test('configuration: products and a model’s file changed → in force, a mistake named by its line, all taken back', async () => {
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const { page, expect } = await browser.visit({ as: root })
  expect(/\b400\b/)
  const dialog = page.getByRole('dialog')
  const confirm = async (button: string, reason: string) => {
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: button }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.goto('/admin/configuration')
  await page.getByRole('button', { name: 'Edit Starter pack' }).click()
  await dialog.getByLabel('Price').fill('19.9')
  await dialog.getByLabel('Its id at payment-b').fill('price_starter_2')
  await confirm('Put in force', 'Dearer')
  await page.getByRole('row', { name: /Starter pack.*\$19\.90/ }).waitFor()
  const [at, before] = ['price_starter_2', 'price_pack_starter'].map((id) => plans().byProcessorId('payment-b', id))
  assert.deepEqual([at?.price.cents, before?.price.cents], [1990, 1490])
  await page.getByRole('button', { name: 'New product' }).click()
  await dialog.getByLabel('Name').fill('Try')
  await dialog.getByLabel('Id', { exact: true }).fill('pack-try')
  await dialog.getByLabel('Credits', { exact: true }).fill('10')
  await dialog.getByLabel('Price').fill('1')
  await dialog.getByLabel('For sale').uncheck()
  await confirm('Put in force', 'To try')
  await page.getByRole('row', { name: /Try ?pack-try Not sold \$1 10 365 days/ }).waitFor()
  await page.getByRole('link', { name: 'plans.json' }).click()
  for (const version of [2, 1]) {
    await page.getByText(`Version ${version}`).waitFor()
    await page.getByRole('button', { name: 'Take back' }).click()
    await confirm('Take back', 'Too early')
  }
  await page.getByText('As the release has it').waitFor()

  await page.goto('/admin/configuration/file?file=models/delta-1-5.json')
  const text = page.getByLabel('Text')
  const good = await text.inputValue()
  await text.fill(good.replace('"Delta 1.5"', '"Delta of ours", "moon": 1'))
  await page.getByLabel('Reason').fill('Ours')
  await page.getByRole('button', { name: 'Put in force' }).click()
  await page.getByText(/The file has a mistake: drafts\/models\/delta-1-5\.json:\d+: moon/).waitFor()
  await text.fill(good.replace('"Delta 1.5"', '"Delta of ours"'))
  await page.getByRole('button', { name: 'Put in force' }).click()
  await page.getByText('Written here').waitFor()
  assert.equal(everyModel().get('delta-1-5')?.name, 'Delta of ours')
  await page.getByRole('button', { name: 'Take back' }).click()
  await confirm('Take back', 'Not ours')
  await page.getByText('As the release has it').waitFor()
  assert.equal(everyModel().get('delta-1-5')?.name, 'Delta 1.5')
})
