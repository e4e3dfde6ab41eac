/** A stand-in for the verification of a CAPTCHA provider: the response `solved` counts, with the right secret. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

const SECRET = 'captcha secret'

export type CaptchaVerifier = {
  /** The settings of a service that verifies here. */
  env: Record<string, string>
  /** The bodies of the requests so far. */
  received: Record<string, unknown>[]
  /** Drops every connection while it is true. */
  isAway: boolean
}

/** It is closed after the tests of the file. */
export async function openCaptchaVerifier(): Promise<CaptchaVerifier> {
  const server = http.createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, unknown>
    verifier.received.push(body)
    if (verifier.isAway) return response.destroy()
    const success = body.response === 'solved' && body.secret === SECRET
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const verifier: CaptchaVerifier = {
    env: {
      CAPTCHA_PROVIDER: 'cloudflare-turnstile',
      CAPTCHA_SECRET: SECRET,
      CAPTCHA_SITE_KEY: 'site-key',
      CAPTCHA_VERIFY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    },
    received: [],
    isAway: false,
  }
  return verifier
}
