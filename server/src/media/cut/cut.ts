/** What a cut is, and the limits that it must meet. The server and its child process share this file. */
import type { FilmLimits } from '../film/film.ts'

export const CUT_SECONDS_MAX = 600
export const CUT_SHOTS_MAX = 50
export const CUT_FRAME_RATE_MAX = 60
export const CUT_SIDE_PIXELS_MAX = 1920
export const CUT_PIXELS_MAX = 1920 * 1080

/** For the inspection of a cut, which is longer than a film may be. */
export const cutFilmLimits: Partial<FilmLimits> = {
  durationMaxS: CUT_SECONDS_MAX + 0.5,
  cpuMaxS: 60,
  timeoutMs: 180_000,
}

/** What is shown of a take: from `inMs`, up to `outMs`. */
type Shot = { inMs: number; outMs: number }
/** `fit`: pictures of another shape get bars, or lose their edges. */
type Format = { width: number; height: number; fit: 'fit' | 'crop' }
/** Beside the films' own sound. `volume`, `filmsVolume`: 0 to 1. */
type SoundBeside = { file: number; volume: number; fadeInS: number; fadeOutS: number; filmsVolume?: number }

/**
 * `file`: the number of a file among those of the cut. `fps`: pictures a second, all at the same distance; left out: as
 * many as most of the takes have.
 */
export type CutRecipe = Format & { fps?: number; shots: (Shot & { file: number })[]; sound?: SoundBeside }

/** What the child is told. The limits are those of a take, and of the child. */
export type CutJob = FilmLimits & CutRecipe & { bytesMax: number }

/** A cut as the child has made it. `copied`: its pictures are those of the takes as they were encoded. */
export type MadeCut = {
  width: number
  height: number
  fps: number
  durationS: number
  hasSound: boolean
  copied: boolean
}

/** How many pictures a shot has; a time is a number of milliseconds, a cut is between two pictures. */
export const framesOf = ({ inMs, outMs }: Shot, fps: number): number =>
  Math.max(1, Math.round(((outMs - inMs) * fps) / 1000))

/** @returns what no cut can have, as a sentence; null: nothing */
export function problemOf({ width, height, fps = CUT_FRAME_RATE_MAX, shots, sound }: CutRecipe): string | null {
  const isEven = width >= 2 && height >= 2 && width % 2 === 0 && height % 2 === 0
  const isSmall = Math.max(width, height) <= CUT_SIDE_PIXELS_MAX && width * height <= CUT_PIXELS_MAX
  if (!isEven || !isSmall) return 'A cut has an even number of pixels on each side, and those of 1080p at the most.'
  if (!(fps >= 1 && fps <= CUT_FRAME_RATE_MAX)) return `A cut has 1 to ${CUT_FRAME_RATE_MAX} pictures a second.`
  if (shots.length < 1 || shots.length > CUT_SHOTS_MAX) return `A cut has 1 to ${CUT_SHOTS_MAX} shots.`
  if (!shots.every(({ inMs, outMs }) => inMs >= 0 && outMs > inMs)) return 'A shot ends after it begins.'
  if (shots.reduce((sum, shot) => sum + framesOf(shot, fps), 0) > CUT_SECONDS_MAX * fps) {
    return `A cut has ${CUT_SECONDS_MAX / 60} minutes at the most.`
  }
  const volumes = sound ? [sound.volume, sound.filmsVolume ?? 1] : []
  if (!volumes.every((volume) => volume >= 0 && volume <= 1)) return 'A volume is from 0 to 1.'
  return null
}
