/**
 * Plays the segments of a cut in their order without a gap: while one plays in one of two video elements, the other one
 * has the next film at its first frame. The sound track follows.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { lengthOf, loudnessAt, type Segment, segmentAt, startsOf } from './cut.ts'
import type { Project } from './queries.ts'

/** Less than the half of a frame: a cut comes at the frame that begins there. */
const EARLY_S = 0.008
const SOUND_DRIFT_MAX_S = 0.2

/** `front`: which of the elements is seen; `index`: of the segment that it has. */
type Deck = { elements: [HTMLVideoElement | null, HTMLVideoElement | null]; front: 0 | 1; index: number }

const other = (which: 0 | 1): 0 | 1 => (which === 0 ? 1 : 0)

function load(video: HTMLVideoElement | null, segment: Segment | undefined, offsetS = 0): void {
  if (!video || !segment) return
  // One that plays behind the last frame waits again.
  video.pause()
  // A link that is signed anew leads to the same film. What could not be loaded has no name (cut-player.tsx).
  if (video.dataset.take !== segment.take.uuid) video.src = segment.src
  video.dataset.take = segment.take.uuid
  video.currentTime = segment.fromS + offsetS
}

const play = (media: HTMLMediaElement | null): void => void media?.play().catch(() => undefined)

/** A browser may let an element play with sound only that the user has started. */
const playNext = (video: HTMLVideoElement | null): void =>
  void video?.play().catch(({ name }: Error) => {
    if (name !== 'NotAllowedError') return
    video.muted = true
    play(video)
  })

/** Whether a film has a frame to show, or never will. */
const isReady = (video: HTMLVideoElement | null): boolean =>
  video === null || video.error !== null || video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA

function positionOf({ elements, front, index }: Deck, segments: Segment[]): number {
  const within = (elements[front]?.currentTime ?? 0) - (segments[index]?.fromS ?? 0)
  return (startsOf(segments)[index] ?? 0) + Math.max(0, within)
}

const hasEnded = (video: HTMLVideoElement, { toS }: Segment): boolean =>
  video.ended || video.currentTime >= (toS ?? Number.POSITIVE_INFINITY) - EARLY_S

type Options = {
  segments: Segment[]
  sound: Project['sound']
  /** The shot that is played, as `onShow` reported it, or that the user has chosen elsewhere. */
  shown: string | null
  onShow: (id: string) => void
}

export function useCut({ segments, sound, shown, onShow }: Options) {
  const deck = useRef<Deck>({ elements: [null, null], front: 0, index: 0 })
  const audio = useRef<HTMLAudioElement>(null)
  const [front, setFront] = useState<0 | 1>(0)
  const [isPlaying, setPlaying] = useState(false)
  const [positionS, setPosition] = useState(0)
  const lengthS = lengthOf(segments)
  const show = (index: number) => {
    deck.current.index = index
    const id = segments[index]?.id
    if (id !== undefined && id !== shown) onShow(id)
  }
  const seek = (seconds: number, plays = isPlaying) => {
    const { elements, front } = deck.current
    const { index, offsetS } = segmentAt(segments, seconds)
    load(elements[front], segments[index], offsetS)
    load(elements[other(front)], segments[index + 1])
    show(index)
    setPosition(seconds)
    if (plays) play(elements[front])
    followSound(audio.current, sound, { positionS: seconds, lengthS, plays })
  }
  const stop = (at = positionOf(deck.current, segments)) => {
    for (const video of deck.current.elements) video?.pause()
    setPlaying(false)
    setPosition(at)
    followSound(audio.current, sound, { positionS: at, lengthS, plays: false })
  }
  const cut = () => {
    const { elements, front, index } = deck.current
    if (index + 1 >= segments.length) return stop(lengthS)
    elements[front]?.pause()
    playNext(elements[other(front)])
    // Until it is, the last frame stays: every browser loads a film that plays, whose progress calls this again.
    if (!isReady(elements[other(front)])) return
    deck.current.front = other(front)
    setFront(other(front))
    show(index + 1)
    load(elements[front], segments[index + 2])
  }
  const follow = useEffectEvent(() => {
    const { elements, front, index } = deck.current
    const [video, segment] = [elements[front], segments[index]]
    if (!isPlaying || !video || !segment) return
    if (hasEnded(video, segment)) return cut()
    const now = positionOf(deck.current, segments)
    setPosition(now)
    followSound(audio.current, sound, { positionS: now, lengthS, plays: true })
  })
  useFrames(isPlaying, follow)
  useChosen({ segments, shown, deck, positionS, stop, seek })
  const start = () => {
    const video = deck.current.elements[deck.current.front]
    setPlaying(true)
    if (positionS >= lengthS - EARLY_S) seek(0, true)
    else if (video?.dataset.take) play(video)
    else seek(positionS, true)
  }
  return { deck, audio, front, isPlaying, positionS, lengthS, seek, start, stop, follow: () => follow() }
}

function useFrames(isPlaying: boolean, onFrame: () => void): void {
  const each = useEffectEvent(onFrame)
  useEffect(() => {
    if (!isPlaying) return
    let frame = requestAnimationFrame(function next() {
      each()
      frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
}

type Chosen = Pick<Options, 'segments' | 'shown'> & {
  deck: { current: Deck }
  positionS: number
  stop: () => void
  seek: (seconds: number) => void
}

/** Goes to the shot that the user has chosen elsewhere, and begins anew with another cut. */
function useChosen({ segments, shown, deck, positionS, stop, seek }: Chosen): void {
  const restart = useEffectEvent(() => {
    stop()
    seek(Math.min(positionS, Math.max(0, lengthOf(segments) - EARLY_S)))
  })
  // A link that is signed anew leads to the same film.
  const signature = segments.map(({ id, take, fromS, toS }) => [id, take.uuid, fromS, toS].join()).join(' ')
  useEffect(() => {
    if (signature) restart()
  }, [signature])
  const jump = useEffectEvent((id: string) => {
    const index = segments.findIndex((segment) => segment.id === id)
    if (index >= 0 && index !== deck.current.index) seek(startsOf(segments)[index] ?? 0)
  })
  useEffect(() => {
    if (shown !== null) jump(shown)
  }, [shown])
}

type Moment = { positionS: number; lengthS: number; plays: boolean }

function followSound(
  audio: HTMLAudioElement | null,
  sound: Project['sound'],
  { positionS, lengthS, plays }: Moment,
): void {
  if (!audio || !sound) return
  audio.volume = loudnessAt(sound, positionS, lengthS)
  if (Math.abs(audio.currentTime - positionS) > SOUND_DRIFT_MAX_S && positionS < (audio.duration || 0))
    audio.currentTime = positionS
  if (!plays) audio.pause()
  else if (audio.paused && positionS < (audio.duration || 0)) play(audio)
}
