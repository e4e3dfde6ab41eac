/** The film itself over its poster, muted and in a loop, for as long as it is looked at; loaded only then. */
import { useEffect, useRef, useState } from 'react'
import css from './library.module.css'

/** A pointer that only passes by loads nothing. */
const PASSING_MS = 120

export function Preview({ src }: { src: string }) {
  const film = useRef<HTMLVideoElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    // Refused where the browser saves power; then the poster stays.
    const timer = setTimeout(() => film.current?.play().catch(() => undefined), PASSING_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <video
      ref={film}
      className={css.preview}
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
