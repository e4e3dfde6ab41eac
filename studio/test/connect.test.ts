/** A program that connects by OAuth: sign-in, consent, back to the program, and the list of programs. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { takePicture, takesPictures } from './pictures.ts'
import { PASSWORD } from './sign-up.ts'

const program = http.createServer((_request, response) => response.end('<!doctype html><title>Connected</title>'))
program.listen(0, '127.0.0.1')
await once(program, 'listening')
after(() => program.close())
const redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`

const kinora = await openKinora()
const browser = await openBrowser(kinora)

/** The address to which a program sends its user. */
async function authorization(name: string): Promise<string> {
  const body = { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' }
  const { text } = await kinora.call('POST', '/api/auth/oauth2/register', { body })
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url')
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: (JSON.parse(text) as { client_id: string }).client_id, state: 's1' },
    ...{ redirect_uri: redirect, scope: 'read generate offline_access' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })
  return `/api/auth/oauth2/authorize?${query}`
}

const sizes = {
  ...{ wide: { width: 1920, height: 1080 }, desktop: { width: 1366, height: 768 } },
  phone: { width: 390, height: 844 },
}
const visits = [
  {
    locale: 'en-US',
    scheme: 'light',
    words: {
      signIn: 'Sign in',
      email: 'E-mail',
      password: 'Password',
      allow: 'Connect',
      disconnect: 'Disconnect',
      owner: 'Acts for',
    },
    texts: [
      'Connect Film desk?',
      'Make, cancel and delete films',
      'No program is connected.',
      'North',
      'See connected programs',
    ],
  },
  {
    locale: 'zh-CN',
    scheme: 'dark',
    words: { signIn: '登录', email: '邮箱', password: '密码', allow: '连接', disconnect: '断开', owner: '代表' },
    texts: ['要连接 Film desk 吗？', '制作、取消和删除影片', '没有已连接的程序。', '北方', '查看已连接的程序'],
  },
] as const

for (const { locale, scheme, words, texts } of visits) {
  test(`program connects: ${locale} → sign-in, consent in the studio’s language, a code; disconnected in the list`, async () => {
    const email = `${locale.toLowerCase()}@example.com`
    const { text } = await kinora.call('POST', '/api/auth/sign-up/email', {
      body: { name: 'Ann', email, password: PASSWORD },
    })
    const { token } = JSON.parse(text) as { token: string }
    await kinora.call('POST', '/api/v1/team', {
      headers: { authorization: `Bearer ${token}` },
      body: { name: texts[3] },
    })
    const { page, expect } = await browser.visit({ locale, colorScheme: scheme })
    const picture = async (name: string) => {
      for (const [device, size] of Object.entries(sizes)) {
        await page.setViewportSize(size)
        if (takesPictures) await takePicture(page, `${name}-${device}-${locale}`)
        assert.ok(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          `${name}: wider than ${device}`,
        )
      }
    }

    await page.goto(await authorization('Film desk'))
    await page.getByLabel(words.email).fill(email)
    await page.getByLabel(words.password).fill(PASSWORD)
    await page.getByRole('button', { name: words.signIn }).click()
    await page.getByRole('heading', { name: texts[0] }).waitFor()
    await page.getByText(texts[1]).waitFor()
    await page.getByLabel(words.owner).selectOption(texts[3])
    await picture('consent')
    await page.getByRole('button', { name: words.allow, exact: true }).click()
    await page.waitForURL(`${redirect}?**`)
    assert.match(new URL(page.url()).searchParams.get('code') ?? '', /./)

    await page.goto('/account')
    const programs = page.getByRole('link', { name: texts[4] })
    await programs.scrollIntoViewIfNeeded()
    await picture('account')
    await programs.click()
    await page.getByText(texts[3]).waitFor()
    await page.getByText('Film desk').waitFor()
    await picture('programs')
    await page.getByRole('button', { name: words.disconnect }).click()
    await page.getByText(texts[2]).waitFor()
    expect(/status of 400/)
    await page.goto('/oauth/consent?client_id=unknown')
    await picture('not-connected')
  })
}
