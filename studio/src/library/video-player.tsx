/**
 * The video element with controls; no autoplay, and sound on. When the signed link expires while the page is open, or the
 * storage's address that it led to, the player loads the link again once and resumes at the same position.
 */
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { queryClient, videoQuery } from '../api.ts'
import { Button } from '../ui/button.tsx'
import stageStyles from '../video/film-stage.module.css'
import styles from './player.module.css'

type Props = { uuid: string; src: string; poster: string | null }

export function VideoPlayer({ uuid, src: initialSrc, poster }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  // Keep the first link until it fails: a newer link to the same file would restart the video.
  const [src, setSrc] = useState(initialSrc)
  const [isBroken, setBroken] = useState(false)
  /** The position to resume at after a renewal. Non-null also means: renewed, and not played since. */
  const resumePoint = useRef<{ positionS: number; wasPlaying: boolean } | null>(null)

  const renewLink = async () => {
    const { current } = video
    if (!current || resumePoint.current) return setBroken(true)
    resumePoint.current = { positionS: current.currentTime, wasPlaying: !current.paused }
    const fresh = await queryClient.fetchQuery({ ...videoQuery(uuid), staleTime: 0 }).catch(() => null)
    if (!fresh?.videoUrl) return setBroken(true)
    // The same link may lead to a new address: it redirects to one that the storage accepts for some minutes only.
    if (fresh.videoUrl === src) current.load()
    else setSrc(fresh.videoUrl)
  }
  const resume = () => {
    if (!video.current || !resumePoint.current) return
    video.current.currentTime = resumePoint.current.positionS
    if (resumePoint.current.wasPlaying) video.current.play().catch(() => undefined)
  }

  if (isBroken) {
    const retry = () => {
      resumePoint.current = null
      setSrc(queryClient.getQueryData(videoQuery(uuid).queryKey)?.videoUrl ?? initialSrc)
      setBroken(false)
    }
    return (
      <div className={styles.overlay} role="alert">
        <p>{t`This film could not be played. Check the connection and try again.`}</p>
        <Button onClick={retry}>{t`Try again`}</Button>
      </div>
    )
  }
  return (
    <video
      ref={video}
      className={stageStyles.video}
      src={src}
      poster={poster ?? undefined}
      preload="metadata"
      controls
      playsInline
      onError={renewLink}
      onLoadedMetadata={resume}
      onPlaying={() => {
        resumePoint.current = null
      }}
    >
      {/* Generated videos have no captions. Accessibility linting requires a track; an empty one shows no button. */}
      <track kind="captions" />
    </video>
  )
}
