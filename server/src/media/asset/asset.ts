/** What an asset is, and the limits that it must meet. The server and its child process share this file. */
import type { FilmLimits } from '../film/film.ts'
import { MediaRefused } from '../refusal.ts'

/** The largest uploads; a receiver stops there. */
export const ASSET_IMAGE_BYTES_MAX = 15 * 1024 * 1024
export const ASSET_FILM_BYTES_MAX = 200 * 1024 * 1024
export const ASSET_SOUND_BYTES_MAX = 30 * 1024 * 1024
/** The longest film and sound. No model takes more than a few minutes. */
export const ASSET_SECONDS_MAX = 600

/** The kinds of files that are kept, by their extension. */
export const assetContentTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
} as const
export type AssetExtension = keyof typeof assetContentTypes

/** A film or sound as the child keeps it. */
export type KeptMedium = {
  kind: 'film' | 'sound'
  extension: AssetExtension
  /** As the film is displayed: upright, in square pixels. */
  width: number | null
  height: number | null
  durationS: number
  hasSound: boolean
}

/** An asset as it is kept; null: its kind has no such thing. */
export type Asset = {
  kind: 'image' | 'film' | 'sound'
  contentType: (typeof assetContentTypes)[AssetExtension]
  extension: AssetExtension
  sizeBytes: number
  width: number | null
  height: number | null
  durationS: number | null
  hasSound: boolean | null
}

/** What the child does with an asset. `isSoundOnly`: it keeps the sound of a film alone. */
export type AssetJob = FilmLimits & {
  filmBytesMax: number
  soundBytesMax: number
  /** Width times height times frames of a film that is encoded anew because it is rotated. */
  rotatedPixelsMax: number
  isSoundOnly: boolean
}

export const tooLarge = (kind: Asset['kind'], bytesMax: number): MediaRefused =>
  new MediaRefused('TOO_LARGE', `The ${kind} has more than ${Math.floor(bytesMax / 1024 / 1024)} MB.`)
