/** A video's poster frame, and the muted, looping preview over it under pointer or keyboard focus. */
import { t } from '@lingui/core/macro'
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import styles from './poster.module.css'
import { isMotionReduced } from './reduced-motion.ts'

/** A pointer that only crosses the card loads nothing. */
const HOVER_DELAY_MS = 120

type PosterProps = { videoUrl: string | null; thumbnailUrl: string | null; isPreviewing: boolean }

export function Poster({ videoUrl, thumbnailUrl, isPreviewing }: PosterProps) {
  return (
    <>
      {thumbnailUrl ? <img className={styles.image} src={thumbnailUrl} alt="" loading="lazy" /> : null}
      {videoUrl && isPreviewing ? <Preview src={videoUrl} /> : null}
    </>
  )
}

/**
 * The place of a poster in a skeleton, which early.js fills while the studio's script loads; the element around it has
 * the aspect ratio.
 * @param props `at`: which of the films that the page reads
 */
export const EarlyPoster = ({ at }: { at: number }) => (
  <img
    className={`${styles.image} ${styles.early}`}
    data-poster={at}
    alt=""
    fetchPriority={at === 0 ? 'high' : 'auto'}
    // Else the first paint leaves out an image that is there, and the studio's own page takes its place before the
    // second one.
    decoding="sync"
  />
)

/** Replaces the poster of a completed video whose film retention has removed. */
export const RemovedFilm = () => <span className={styles.removed}>{t`This film is no longer kept.`}</span>

/**
 * Hover and focus state of a card's preview. Touch does not start it, because a tap opens the video. It stays off under
 * prefers-reduced-motion.
 * @param onStart runs on every hover and focus, also under reduced motion
 */
export function usePreview(onStart?: () => void) {
  const [isPreviewing, setPreviewing] = useState(false)
  const start = () => {
    onStart?.()
    setPreviewing(!isMotionReduced())
  }
  const stop = () => setPreviewing(false)
  return {
    isPreviewing,
    pointerHandlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && start(),
      onPointerLeave: stop,
    },
    focusHandlers: {
      onFocus: ({ currentTarget }: FocusEvent) => currentTarget.matches(':focus-visible') && start(),
      onBlur: stop,
    },
  }
}

function Preview({ src }: { src: string }) {
  const video = useRef<HTMLVideoElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    // A browser in power-saving mode rejects play(); the poster then stays visible.
    const timer = setTimeout(() => video.current?.play().catch(() => undefined), HOVER_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <video
      ref={video}
      className={styles.preview}
      data-playing={isPlaying}
      src={src}
      preload="none"
      muted
      loop
      playsInline
      disablePictureInPicture
      aria-hidden="true"
      tabIndex={-1}
      onPlaying={() => setPlaying(true)}
    />
  )
}
