/** The language of the studio: from the browser's languages or the user's choice, with what each downloads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'

const kinora = await openKinora()
const { visit } = await openBrowser(kinora)

/** Collects every text that the page has ever shown. */
const recordTexts = `{
  globalThis.shown = new Set()
  new MutationObserver(() => document.body && shown.add(document.body.innerText)).observe(document, {
    childList: true, subtree: true, characterData: true,
  })
}`

test('Chinese browser: first visit → Chinese from the first text on; wrong password → a Chinese message', async () => {
  const { page, expect } = await visit({ locale: 'zh-TW' })
  expect(/status of 401/)
  await page.addInitScript(recordTexts)
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: '登录' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans')
  const shown = await page.evaluate<string[]>('[...shown]')
  assert.ok(shown.some((text) => text.includes('登录')))
  assert.deepEqual(
    shown.filter((text) => /Sign in|Password/.test(text)),
    [],
  )
  await page.getByLabel('邮箱').fill('unknown@example.com')
  await page.getByLabel('密码').fill('correct horse battery')
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByText('邮箱或密码不正确。').waitFor()
})

test('language select: another language → the page in it, kept for the next visit', async () => {
  const { page } = await visit({ as: await kinora.person() })
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto('/account')
  await page.getByRole('combobox', { name: 'Language' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  assert.deepEqual(
    urls.filter((url) => /zh-Hans|service-translator/.test(url)),
    [],
  )
  await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文')
  await page.getByRole('heading', { name: '账号' }).waitFor()
  await page.goto('/credits')
  await page.getByRole('heading', { name: '积分', exact: true }).waitFor()
  assert.ok(urls.some((url) => /zh-Hans/.test(url)))
})

test('Chinese browser: user without a stored language → it is stored, for the mails', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann, locale: 'zh-CN' })
  await page.goto('/')
  await until(async () => {
    const [row] = await kinora.app.sql<{ language: string | null }[]>`
      select "language" from public."user" where id = ${ann.userId}
    `
    return row?.language === 'zh-Hans'
  }, 'the language of the user')
})
