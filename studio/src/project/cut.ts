/** The cut of a project: the chosen takes in their order, each from its begin to its end. */
import type { ListedVideo } from '../api.ts'
import type { Project, Shot } from './queries.ts'

/** `fromS`, `toS`: of the take; `toS` null: at its end. `lengthS`: about, until the film is read. */
export type Segment = {
  id: string
  number: number
  take: ListedVideo
  src: string
  fromS: number
  toS: number | null
  lengthS: number
}

/** The take that is in the cut; undefined: none is chosen, or it was deleted. */
export const chosenTake = ({ takes, takeId }: Shot, deleted: ReadonlySet<string>): ListedVideo | undefined =>
  takes.find(({ uuid }) => uuid === takeId && !deleted.has(uuid))

/** Shots without a finished take are left out. */
export const segmentsOf = ({ shots }: Project, deleted: ReadonlySet<string>): Segment[] =>
  shots.flatMap((shot, at) => {
    const take = chosenTake(shot, deleted)
    if (!take?.videoUrl) return []
    const { inMs, outMs } = shot
    const fromS = (inMs ?? 0) / 1000
    const toS = outMs === null ? null : outMs / 1000
    return {
      id: shot.id,
      number: at + 1,
      take,
      src: take.videoUrl,
      fromS,
      toS,
      lengthS: (toS ?? take.duration) - fromS,
    }
  })

export const lengthOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { lengthS }) => sum + lengthS, 0)

/** Where each begins in the whole. */
export function startsOf(segments: readonly Segment[]): number[] {
  let start = 0
  return segments.map(({ lengthS }) => {
    start += lengthS
    return start - lengthS
  })
}

/** The segment at a time of the whole, and the time within it. */
export function segmentAt(segments: readonly Segment[], seconds: number): { index: number; offsetS: number } {
  const starts = startsOf(segments)
  const index = Math.max(
    0,
    starts.findLastIndex((start) => start <= seconds),
  )
  return { index, offsetS: Math.max(0, seconds - (starts[index] ?? 0)) }
}

/** The loudness of the sound track at a time of the whole, from 0 to 1. */
export function loudnessAt(sound: NonNullable<Project['sound']>, seconds: number, lengthS: number): number {
  const { volume, fadeInS, fadeOutS } = sound
  const begun = fadeInS > 0 ? Math.min(1, seconds / fadeInS) : 1
  const left = fadeOutS > 0 ? Math.min(1, (lengthS - seconds) / fadeOutS) : 1
  return volume * Math.max(0, Math.min(begun, left))
}
