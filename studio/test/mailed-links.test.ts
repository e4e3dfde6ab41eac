/** Pages of mailed links: a token that was used is in neither the address bar nor the history. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dispatchMailOnce } from '../../server/src/mail/dispatcher.ts'
import { unsubscribeUrls } from '../../server/src/mail/unsubscribe.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { linkIn, openMailServer } from '../../server/test/support/mail-server.ts'
import { openBrowser } from './browser.ts'

const smtp = await openMailServer()
const kinora = await openKinora({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@example.com' } })
after(() => smtp.close())
const browser = await openBrowser(kinora)

const email = 'ann@example.com'
const body = { name: 'Ann', email, password: 'correct horse battery' }
const { text } = await kinora.call('POST', '/api/auth/sign-up/email', { body })
const { user } = JSON.parse(text) as { user: { id: string } }
await dispatchMailOnce(kinora.app)

test('verify-email: address confirmed → no token in the URL', async () => {
  const { page } = await browser.visit()
  await page.goto(linkIn(smtp.to(email).at(-1) ?? assert.fail('no mail')))
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await page.getByText('your e-mail address is confirmed').waitFor()
  assert.equal(page.url(), `${kinora.url}/verify-email`)
})

test('unsubscribe: notice switched off → no token in the URL', async () => {
  const { page } = await browser.visit()
  await page.goto(unsubscribeUrls(kinora.app, user.id, 'credit.low').page)
  await page.getByRole('button', { name: 'No more of these mails' }).click()
  await page.getByText('You get no more mails of this kind').waitFor()
  assert.equal(page.url(), `${kinora.url}/unsubscribe`)
})

test('sign-in link: signed in → no token on the page before in the history', async () => {
  await kinora.call('POST', '/api/auth/sign-in/magic-link', { body: { email } })
  await dispatchMailOnce(kinora.app)
  const [link = assert.fail('no mail')] = /http\S+\/sign-in#link=\w+/.exec(smtp.to(email).at(-1)?.text ?? '') ?? []
  const { page } = await browser.visit()
  const urls = new Set<string>()
  page.on('framenavigated', (frame) => urls.add(frame.url()))
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Prompt').waitFor()
  assert.deepEqual([...urls].slice(0, 2), [link, `${kinora.url}/sign-in`])
})
