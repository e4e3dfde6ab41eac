/** The picture of a finished film, which plays while somebody points at it; without sound, and not for those who asked for less motion. */
import { useState } from 'react'
import css from '../studio/recent-card.module.css'
import type { ListedVideo } from '../studio/recent-query.ts'

export function Poster({ video, playing }: { video: ListedVideo; playing: boolean }) {
  // The links are made anew at every reading; the first ones are good until this page is an old one.
  const [{ videoUrl, thumbnailUrl }] = useState(video)
  const moves = playing && videoUrl !== null && !matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <>
      {thumbnailUrl ? <img className={css.picture} src={thumbnailUrl} alt="" /> : null}
      {moves ? <video className={css.picture} src={videoUrl} autoPlay muted loop playsInline /> : null}
    </>
  )
}
