/**
 * Whether a request that changes something was sent by a page that is not ours. `SameSite=Lax` keeps the cookie from other
 * sites, but a page under another name or port of our own site counts as the same; there the browser's own word decides.
 * It is asked only where the cookie speaks for the caller: nobody's page can send a token or a key that it does not know.
 */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

type Request = Pick<FastifyRequest, 'method' | 'headers' | 'host'>

/** @throws AppError FORBIDDEN */
export function refuseOtherPages(request: Request, config: Pick<Config, 'publicUrl'>): void {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD' || !isByCookie(headers) || isOurs(request, config)) return
  const message =
    'This comes from a page at another address, where the session cookie does not count. Programs send a token or a key.'
  throw new AppError('FORBIDDEN', message)
}

const isByCookie = ({ authorization, 'x-api-key': key }: Request['headers']): boolean =>
  authorization === undefined && key === undefined

function isOurs({ headers, host }: Request, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const site = headers['sec-fetch-site']
  // `none`: typed in, or a bookmark.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Over plain http browsers send the Origin alone, and programs neither.
  if (headers.origin === undefined) return true
  const origin = URL.parse(headers.origin)
  return origin !== null && (origin.host === host || origin.origin === URL.parse(publicUrl)?.origin)
}
