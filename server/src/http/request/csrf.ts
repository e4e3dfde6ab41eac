/**
 * CSRF protection. `SameSite=Lax` keeps the session cookie out of cross-site requests, but a page on another subdomain
 * or port of this site counts as same-site; there the request's Fetch Metadata (`Sec-Fetch-Site`), else its `Origin`,
 * decides. Only requests authenticated by the cookie are checked: a foreign page cannot attach a token or an API key it
 * does not have.
 */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'

type Request = Pick<FastifyRequest, 'method' | 'headers' | 'host'>

/**
 * Rejects a state-changing request that another origin's page sent with the session cookie.
 * @throws AppError FORBIDDEN
 */
export function rejectCrossSiteRequest(request: Request, config: Pick<Config, 'publicUrl'>): void {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD' || !reliesOnCookie(headers) || isSameOrigin(request, config)) return
  const message =
    'This comes from a page at another address, where the session cookie does not count: send an API key or a browser token.'
  throw new AppError('FORBIDDEN', message)
}

const reliesOnCookie = ({ authorization, 'x-api-key': apiKey }: Request['headers']): boolean =>
  authorization === undefined && apiKey === undefined

function isSameOrigin({ headers, host }: Request, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const site = headers['sec-fetch-site']
  // `none`: the user typed the URL or opened a bookmark.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Browsers send only Origin over plain HTTP; non-browser clients send neither header.
  if (headers.origin === undefined) return true
  const origin = URL.parse(headers.origin)
  return origin !== null && (origin.host === host || origin.origin === URL.parse(publicUrl)?.origin)
}
