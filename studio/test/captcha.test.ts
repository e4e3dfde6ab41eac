/**
 * CAPTCHA on the sign-up page: stand-ins for the providers' scripts, at the providers' own addresses, so that the
 * page's Content-Security-Policy is the real one; and a verification server of this test.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openCaptchaVerifier } from '../../server/test/support/captcha-verifier.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { takePicture, takesPictures } from './pictures.ts'
import { signUp } from './sign-up.ts'

const kinora = await openKinora({ env: (await openCaptchaVerifier()).env })
const browser = await openBrowser(kinora)

/** A script that renders a frame of the provider with a checkbox, as the query of the page's address asks. */
const scriptOf = (api: string, frame: string) => `
  window.${api} = {
    render(element, options) {
      const solved = options.callback ?? options.onVerify
      const frame = document.createElement('iframe')
      frame.src = '${frame}'
      frame.title = options.sitekey + ' ' + options.theme + ' ' + (options.language ?? options.lang)
      frame.width = 300
      frame.height = 65
      addEventListener('message', ({ origin, data }) => origin === new URL(frame.src).origin && solved(data))
      element.append(frame)
    },
  }
  window[new URL(document.currentScript.src).searchParams.get('onload')]()
`
const FRAME = `<!doctype html><style>body{margin:0;font:16px/64px sans-serif;background:#f9f9f9;border:1px solid #ddd}</style>
  <label><input type="checkbox" onchange="parent.postMessage('solved', '*')"> Verify you are human</label>
  <button onclick="parent.postMessage('guessed', '*')">Guess</button>`

/** Answers for a provider. @returns the addresses of the scripts that pages have loaded */
async function standIn(page: Page, api: string, script: string, frame: string): Promise<string[]> {
  const scripts: string[] = []
  await page.route(`${script}**`, async (route) => {
    scripts.push(route.request().url())
    await route.fulfill({ contentType: 'text/javascript', body: scriptOf(api, frame) })
  })
  await page.route(frame, (route) => route.fulfill({ contentType: 'text/html', body: FRAME }))
  return scripts
}
const turnstile = 'https://challenges.cloudflare.com'
const widget = (page: Page) => page.frameLocator('fieldset iframe')

test('sign-up with CAPTCHA: unsolved or guessed → no account; solved → signed in; its script runs in this document alone', async () => {
  const { page, expect } = await browser.visit()
  const scripts = await standIn(page, 'turnstile', `${turnstile}/turnstile/v0/api.js`, `${turnstile}/frame`)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.deepEqual([...scripts], [])
  await page.getByRole('link', { name: 'Create account' }).click()
  await widget(page).getByText('Verify you are human').waitFor()
  assert.ok(scripts.length === 1 && scripts[0]?.includes('render=explicit'))
  assert.equal(await page.locator('fieldset iframe').getAttribute('title'), 'site-key light en')
  if (takesPictures) await takePicture(page, 'captcha')

  await signUp(page, 'Ann')
  await page.getByText('Show first that you are human.').waitFor()
  expect(/status of 403/)
  await widget(page).getByRole('button', { name: 'Guess' }).click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('The CAPTCHA was not solved').waitFor()
  assert.equal((await kinora.app.sql`select from public."user"`).length, 0)

  await widget(page).getByText('Verify you are human').click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Kinora, to the studio' }).waitFor()
  await page.getByLabel('Prompt').waitFor()
  assert.equal(await page.evaluate('typeof turnstile'), 'undefined')
  assert.equal(scripts.length, 1)
})

test('sign-up page with a CAPTCHA on a phone, in Chinese: widget in its language; script blocked → the reason', async () => {
  const { page, expect } = await browser.visit({
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await standIn(page, 'turnstile', `${turnstile}/turnstile/v0/api.js`, `${turnstile}/frame`)
  await page.goto('/sign-up')
  await widget(page).getByText('Verify you are human').waitFor()
  assert.equal(await page.locator('fieldset iframe').getAttribute('title'), 'site-key dark zh-cn')
  if (takesPictures) await takePicture(page, 'captcha-phone')
  await page.route(`${turnstile}/**`, (route) => route.abort())
  expect(/net::ERR_FAILED/)
  await page.reload()
  await page.getByText('无法加载真人验证').waitFor()
})

const others = [
  [
    'google-recaptcha',
    'grecaptcha',
    'https://www.google.com/recaptcha/api.js',
    'https://www.google.com/recaptcha/api2/anchor',
  ],
  ['hcaptcha', 'hcaptcha', 'https://js.hcaptcha.com/1/api.js', 'https://newassets.hcaptcha.com/frame'],
  ['captchafox', 'captchafox', 'https://cdn.captchafox.com/api.js', 'https://cdn.captchafox.com/frame'],
] as const

test('CAPTCHA: sign-up with that of each other provider → its widget, whose response goes with the request', async () => {
  for (const [provider, api, script, frame] of others) {
    const captcha = { provider, secret: 's', siteKey: 'site-key', verifyUrl: null }
    await kinora.withSettings({ captcha }, async (url) => {
      const { page, expect } = await browser.visit({ baseURL: url })
      expect(/net::ERR_FAILED/)
      await standIn(page, api, script, frame)
      const sent: (string | null)[] = []
      await page.route('**/api/auth/sign-up/email', async (route) => {
        sent.push(await route.request().headerValue('x-captcha-response'))
        await route.abort()
      })
      await page.goto(`${url}/sign-up`)
      await widget(page).getByText('Verify you are human').click()
      await signUp(page, 'Bob')
      await page.getByRole('alert').waitFor()
      assert.deepEqual(sent, ['solved'], provider)
    })
  }
})
