/**
 * Links to assets. A row names an asset by its storage key and never by a signed link, because links expire: a new one
 * is signed when the task is sent to the provider and whenever the owner reads the video.
 */
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { signLink, verifyLink } from '../storage/link.ts'

const CALLBACK_PATH = '/api/v1/video/callback'
/** A provider may queue a task before it fetches an input. */
const PROVIDER_TTL_MIN_S = 24 * 3600
const KEY = /^asset\/([0-9a-f-]{36})\/([0-9a-f-]{36})\.[a-z0-9]+$/

/** The id of an asset, by its storage key. */
export const assetIdOf = (key: string): string => KEY.exec(key)?.[2] ?? ''

/** Whether a URL has the form of our own file links, valid or not. It is checked by its signature, not its host. */
export function isOwnFileLink({ publicUrl }: Pick<Config, 'publicUrl'>, link: string): boolean {
  const url = URL.parse(link)
  const own = URL.parse(`${publicUrl}/files/`)
  return url !== null && own !== null && url.origin === own.origin && url.pathname.startsWith(own.pathname)
}

/** Parses our signed link to an asset: its owner, its key, and whether it has expired; null for any other. */
export function readAssetLink(app: App, link: string): { userId: string; key: string; isExpired: boolean } | null {
  const { config } = app
  const url = new URL(link)
  const key = url.pathname.slice(new URL(`${config.publicUrl}/files/`).pathname.length)
  const parts = { key, exp: url.searchParams.get('exp') ?? '', sig: url.searchParams.get('sig') ?? '' }
  const userId = KEY.exec(key)?.[1]
  const verified = verifyLink(config, parts, app.now().getTime())
  return userId && verified !== 'forged' ? { userId, key, isExpired: verified === 'expired' } : null
}

/** A link signed at the time of the submit. */
export function linkForProvider(app: App, key: string): string {
  const { callbackUrl, publicUrl, authSecret, fileUrlTtlS } = app.config
  // The callback URL's host is reachable for providers (a tunnel, in development), so files are linked there too.
  const reachableUrl = callbackUrl.endsWith(CALLBACK_PATH) ? callbackUrl.slice(0, -CALLBACK_PATH.length) : publicUrl
  return signLink({ publicUrl: reachableUrl, authSecret }, key, {
    nowMs: app.now().getTime(),
    ttlS: Math.max(fileUrlTtlS, PROVIDER_TTL_MIN_S),
  })
}

/** A signed link for the owner and its expiry. */
export function assetLink({ config, now }: App, key: string): { url: string; expiresAt: Date } {
  const { publicUrl, authSecret, fileUrlTtlS } = config
  const url = signLink({ publicUrl, authSecret }, key, { nowMs: now().getTime(), ttlS: fileUrlTtlS })
  return { url, expiresAt: new Date(Number(new URL(url).searchParams.get('exp')) * 1000) }
}
