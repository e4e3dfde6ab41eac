/**
 * Start images on their way from a request to a provider. An image of somebody else's site stays the address that it is.
 * One that was uploaded here stands in the video's row by its name, `kinora:` and its key, and never as a link: links end,
 * so each reader (the provider when the task is sent, the owner when the video is read) gets one signed for it.
 */
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { signLink, verifyLink } from '../storage/link.ts'

const PREFIX = 'kinora:'
const CALLBACK_PATH = '/api/v1/video/callback'
/** A provider may let a task wait before it fetches what belongs to it. */
const PROVIDER_TTL_MIN_S = 24 * 3600

export const imageName = (key: string): string => PREFIX + key

/** Whether an address is one of our own links, good or not: then its signature decides, and not its host. */
export function isOurLink({ publicUrl }: Pick<Config, 'publicUrl'>, address: string): boolean {
  const url = URL.parse(address)
  const ours = URL.parse(`${publicUrl}/files/`)
  return url !== null && ours !== null && url.origin === ours.origin && url.pathname.startsWith(ours.pathname)
}

/** The owner's id and the image's, of a link of ours to an uploaded image, and whether it is over; null for any other. */
export function readImageLink(
  app: App,
  address: string,
): { userId: string; id: string; key: string; isOver: boolean } | null {
  const { config } = app
  const url = new URL(address)
  const key = url.pathname.slice(new URL(`${config.publicUrl}/files/`).pathname.length)
  const link = { key, exp: url.searchParams.get('exp') ?? '', sig: url.searchParams.get('sig') ?? '' }
  const [, userId, id] = /^image\/([0-9a-f-]{36})\/([0-9a-f-]{36})\.(?:png|jpg)$/.exec(key) ?? []
  if (!userId || !id || verifyLink(config, link, 0) === null) return null
  return { userId, id, key, isOver: verifyLink(config, link, app.now().getTime()) === null }
}

/** What the owner is shown: an address as it was given, and for an uploaded image a new link. */
export function shownStartImage(app: App, startImageUrl: string | null): string | null {
  return startImageUrl?.startsWith(PREFIX) ? imageLink(app, startImageUrl).url : startImageUrl
}

/** What a provider is given when the task is sent, however long after it was asked for. */
export function sentStartImage(app: App, startImageUrl: string | null): string | null {
  if (!startImageUrl?.startsWith(PREFIX)) return startImageUrl
  const { callbackUrl, publicUrl, authSecret, fileUrlTtlS } = app.config
  // Where providers reach us for callbacks they reach the files too; on a developer's machine that may be a tunnel.
  const reachable = callbackUrl.endsWith(CALLBACK_PATH) ? callbackUrl.slice(0, -CALLBACK_PATH.length) : publicUrl
  return signLink({ publicUrl: reachable, authSecret }, startImageUrl.slice(PREFIX.length), {
    nowMs: app.now().getTime(),
    ttlS: Math.max(fileUrlTtlS, PROVIDER_TTL_MIN_S),
  })
}

/** A link for the owner, and until when it is good. */
export function imageLink({ config, now }: App, name: string): { url: string; expiresAt: Date } {
  const { publicUrl, authSecret, fileUrlTtlS } = config
  const time = { nowMs: now().getTime(), ttlS: fileUrlTtlS }
  const url = signLink({ publicUrl, authSecret }, name.slice(PREFIX.length), time)
  return { url, expiresAt: new Date(Number(new URL(url).searchParams.get('exp')) * 1000) }
}
