/**
 * What every answer tells a browser, whatever it is about. The rule: an answer is data, so it is kept nowhere, taken for
 * nothing else than it says, and neither runs nor is framed; the few answers that are pages or files say so themselves.
 */
import type { Config } from '../config.ts'

const YEAR_S = 365 * 24 * 3600

export const plainHeaders = {
  // The answers hold what belongs to one user; a browser must not show it after that user has signed out.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Behind https the browser is told to stay there. Only for this name: others of the domain may not be ours. */
export const headersFor = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...plainHeaders,
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
})
