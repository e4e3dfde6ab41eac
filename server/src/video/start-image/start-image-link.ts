/**
 * How a start image is referred to between request, database and provider. An external image is stored as its URL and
 * passed to the provider, which fetches it. An uploaded image is stored in the video's row as `kinora:<storage key>`
 * and never as a signed link, because links expire: a new one is signed when the task is sent to the provider and
 * whenever the owner reads the video.
 */
import type { App } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { Parameters } from '../../film/fields.ts'
import { signLink, verifyLink } from '../../storage/link.ts'

const PREFIX = 'kinora:'
const CALLBACK_PATH = '/api/v1/video/callback'
/** A provider may queue a task before it fetches the image. */
const PROVIDER_TTL_MIN_S = 24 * 3600

/** The storage key of an image that is stored here; null for a link to another site. */
export const storedKeyOf = (startImageUrl: string): string | null =>
  startImageUrl.startsWith(PREFIX) ? startImageUrl.slice(PREFIX.length) : null

/** The stored form of an uploaded image's storage key. */
export const imageName = (key: string): string => PREFIX + key

/** Whether a URL has the form of our own file links, valid or not. It is checked by its signature, not its host. */
export function isOwnFileLink({ publicUrl }: Pick<Config, 'publicUrl'>, startImageUrl: string): boolean {
  const url = URL.parse(startImageUrl)
  const own = URL.parse(`${publicUrl}/files/`)
  return url !== null && own !== null && url.origin === own.origin && url.pathname.startsWith(own.pathname)
}

/** Parses our signed link to an uploaded image: its owner, its id, and whether it has expired; null for any other. */
export function readImageLink(
  app: App,
  link: string,
): { userId: string; id: string; key: string; isExpired: boolean } | null {
  const { config } = app
  const url = new URL(link)
  const key = url.pathname.slice(new URL(`${config.publicUrl}/files/`).pathname.length)
  const parts = { key, exp: url.searchParams.get('exp') ?? '', sig: url.searchParams.get('sig') ?? '' }
  const [, userId, id] = /^image\/([0-9a-f-]{36})\/([0-9a-f-]{36})\.(?:png|jpg)$/.exec(key) ?? []
  if (!userId || !id || verifyLink(config, parts, 0) === null) return null
  return { userId, id, key, isExpired: verifyLink(config, parts, app.now().getTime()) === null }
}

/** The images of a video, by the names of their parameters. */
export type Images = Pick<Parameters, 'startImageUrl' | 'endImageUrl' | 'referenceImageUrls'>

export const mapImages = (images: Images, change: (url: string) => string): Images => ({
  startImageUrl: images.startImageUrl === null ? null : change(images.startImageUrl),
  endImageUrl: images.endImageUrl === null ? null : change(images.endImageUrl),
  referenceImageUrls: images.referenceImageUrls?.map(change) ?? null,
})

/** What the owner is shown in the place of each image of a video. */
export const imagesForOwner = (app: App, images: Images): Images =>
  mapImages(images, (url) => startImageForOwner(app, url) ?? url)

/** The URL shown to the owner: an external image's own URL, or a newly signed link to an uploaded image. */
export function startImageForOwner(app: App, startImageUrl: string | null): string | null {
  return startImageUrl?.startsWith(PREFIX) ? imageLink(app, startImageUrl).url : startImageUrl
}

/** The URL sent to the provider: an external image's own URL, or a link signed at the time of the submit. */
export function startImageForProvider(app: App, startImageUrl: string | null): string | null {
  if (!startImageUrl?.startsWith(PREFIX)) return startImageUrl
  const { callbackUrl, publicUrl, authSecret, fileUrlTtlS } = app.config
  // The callback URL's host is reachable for providers (a tunnel, in development), so files are linked there too.
  const reachableUrl = callbackUrl.endsWith(CALLBACK_PATH) ? callbackUrl.slice(0, -CALLBACK_PATH.length) : publicUrl
  return signLink({ publicUrl: reachableUrl, authSecret }, startImageUrl.slice(PREFIX.length), {
    nowMs: app.now().getTime(),
    ttlS: Math.max(fileUrlTtlS, PROVIDER_TTL_MIN_S),
  })
}

/** A signed link for the owner and its expiry. */
export function imageLink({ config, now }: App, name: string): { url: string; expiresAt: Date } {
  const { publicUrl, authSecret, fileUrlTtlS } = config
  const time = { nowMs: now().getTime(), ttlS: fileUrlTtlS }
  const url = signLink({ publicUrl, authSecret }, name.slice(PREFIX.length), time)
  return { url, expiresAt: new Date(Number(new URL(url).searchParams.get('exp')) * 1000) }
}
