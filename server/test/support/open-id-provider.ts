/** Fixture: an OpenID provider of the npm package oidc-provider, and a browser's cookies and redirects. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after } from 'node:test'
import Provider from 'oidc-provider'
import { freePort } from './free-port.ts'

export type OpenIdProvider = { issuer: string; env: Record<string, string> }

/** Starts the provider, and stops it after the file's last test. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const { start, ...provider } = await prepareOpenIdProvider()
  await start()
  return provider
}

/**
 * A provider that is down until `start`; it stops after the file's last test. A login named `new-…` has an address that
 * the provider has not verified. Every login has `<login>@example.com` as its address, and a name with a line break and
 * a direction mark.
 */
export async function prepareOpenIdProvider(): Promise<OpenIdProvider & { start: () => Promise<void> }> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const client = { clientId: 'kinora', clientSecret: 'a client secret of enough random bytes' }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: ['https://kinora.example/api/auth/callback/company'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key'] },
    findAccount: async (_ctx, id) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: !id.startsWith('new-'),
        name: ` ${id}\n\u202e`,
      }),
    }),
  })
  // The service of a test has a port of its own.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => uri.endsWith('/api/auth/callback/company')
  const server = createServer(provider.callback())
  return {
    issuer,
    start: async () => {
      await once(server.listen(port, '127.0.0.1'), 'listening')
      after(() => server.close())
    },
    env: {
      OIDC_COMPANY_ISSUER: issuer,
      OIDC_COMPANY_NAME: 'Company',
      OIDC_COMPANY_CLIENT_ID: client.clientId,
      OIDC_COMPANY_CLIENT_SECRET: client.clientSecret,
    },
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** A browser without pages: it keeps cookies by origin and follows redirects, up to those that `stopsAt` names. */
export function openBrowser() {
  const jars = new Map<string, Map<string, string>>()
  const cookiesOf = (url: string) => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const cookie = (url: string) => [...cookiesOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')

  async function send(method: string, url: string, body?: string, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: cookie(url), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(each)) cookiesOf(url).delete(name)
      else cookiesOf(url).set(name, value)
    }
    const next = response.headers.get('location')
    return { status: response.status, text: await response.text(), location: next && new URL(next, url).href }
  }
  const sendJson = (method: string) => (url: string, body: unknown) =>
    send(method, url, JSON.stringify(body), { 'content-type': 'application/json', origin: new URL(url).origin })

  /** Signs in at the provider as `login`, and consents. @returns the address at which the service's callback ended */
  async function authorize(start: string, login: string): Promise<string> {
    let at = start
    for (let steps = 0; steps < 20; steps += 1) {
      const page = await send('GET', at)
      if (page.location) {
        if (at.includes('/api/auth/callback/')) return page.location
        at = page.location
        continue
      }
      const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page.text)?.[1]
      if (!action || !prompt) throw new Error(`${page.status} at ${at}: ${page.text.slice(0, 500)}`)
      const form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) })
      const answer = await send('POST', new URL(action, at).href, `${form}`, {
        'content-type': 'application/x-www-form-urlencoded',
      })
      if (!answer.location) throw new Error(`${answer.status} at ${action}: ${answer.text.slice(0, 500)}`)
      at = answer.location
    }
    throw new Error(`too many redirects: ${at}`)
  }
  return {
    get: (url: string) => send('GET', url),
    post: sendJson('POST'),
    remove: sendJson('DELETE'),
    authorize,
    cookiesOf,
  }
}
