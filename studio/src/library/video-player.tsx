/**
 * The video element with controls; no autoplay and sound on, or muted in a loop. When the signed link expires while the
 * page is open, or the storage's address that it led to, the player loads the link again once and resumes at the same
 * position. A film that the browser cannot decode is offered as a download.
 */

import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { queryClient, videoQuery } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { FilmVideo } from '../video/film-video.tsx'
import { isMotionReduced } from '../video/reduced-motion.ts'
import { hasNoPicture, isReachable, UnplayableFilm } from '../video/unplayable-film.tsx'
import styles from './player.module.css'

type Props = { uuid: string; src: string; poster: string | null; isLooping?: boolean }

export function VideoPlayer({ uuid, src: initialSrc, poster, isLooping = false }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  // Keep the first link until it fails: a newer link to the same file would restart the video.
  const [src, setSrc] = useState(initialSrc)
  const [problem, setProblem] = useState<'connection' | 'film' | null>(null)
  /** The position to resume at after a renewal. Non-null also means: renewed, and not played since. */
  const resumePoint = useRef<{ positionS: number; wasPlaying: boolean } | null>(null)

  const renewLink = async () => {
    const { current } = video
    if (!current || resumePoint.current) return setProblem((await isReachable(src)) ? 'film' : 'connection')
    resumePoint.current = { positionS: current.currentTime, wasPlaying: !current.paused }
    const fresh = await queryClient.fetchQuery({ ...videoQuery(uuid), staleTime: 0 }).catch(() => null)
    if (!fresh?.videoUrl) return setProblem('connection')
    // The same link may lead to a new address: it redirects to one that the storage accepts for some minutes only.
    if (fresh.videoUrl === src) current.load()
    else setSrc(fresh.videoUrl)
  }
  const resume = () => {
    if (!video.current) return
    if (hasNoPicture(video.current)) return setProblem('film')
    if (!resumePoint.current) return
    video.current.currentTime = resumePoint.current.positionS
    if (resumePoint.current.wasPlaying) video.current.play().catch(() => undefined)
  }

  if (problem === 'film') return <UnplayableFilm src={src} className={styles.overlay} />
  if (problem) {
    const retry = () => {
      resumePoint.current = null
      setSrc(queryClient.getQueryData(videoQuery(uuid).queryKey)?.videoUrl ?? initialSrc)
      setProblem(null)
    }
    return (
      <div className={styles.overlay} role="alert">
        <p>{t`This film could not be played. Check the connection and try again.`}</p>
        <Button onClick={retry}>{t`Try again`}</Button>
      </div>
    )
  }
  return (
    <FilmVideo
      ref={video}
      data-film={uuid}
      src={src}
      poster={poster ?? undefined}
      preload="metadata"
      {...(isLooping && { muted: true, loop: true, autoPlay: !isMotionReduced() })}
      // The browser scrolls to the control within, which may stay beneath a bar.
      onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest' })}
      onError={renewLink}
      onLoadedMetadata={resume}
      onPlaying={() => {
        resumePoint.current = null
      }}
    />
  )
}
