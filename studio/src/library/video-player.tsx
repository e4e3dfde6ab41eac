/**
 * The film with its controls. It waits to be played, and has its sound then. The rule: a signed link that ran out while
 * the page was open is nobody's concern but ours: the film is read again once, and goes on where it was.
 */
import { useRef, useState } from 'react'
import { queryClient, videoQuery } from '../api.ts'
import { Button } from '../ui/button.tsx'
import css from './player.module.css'

type Props = { uuid: string; src: string; poster: string | null }

export function VideoPlayer({ uuid, src: given, poster }: Props) {
  const film = useRef<HTMLVideoElement>(null)
  // A newer link to the same film is no reason to load it anew: the first one is kept until it fails.
  const [src, setSrc] = useState(given)
  const [isBroken, setBroken] = useState(false)
  /** Where to go on once the renewed film is there; also the sign that it was renewed and has not played since. */
  const goOn = useRef<{ atS: number; plays: boolean } | null>(null)

  const renew = async () => {
    const { current } = film
    if (!current || goOn.current) return setBroken(true)
    goOn.current = { atS: current.currentTime, plays: !current.paused }
    const fresh = await queryClient.fetchQuery({ ...videoQuery(uuid), staleTime: 0 }).catch(() => null)
    if (!fresh?.videoUrl || fresh.videoUrl === src) return setBroken(true)
    setSrc(fresh.videoUrl)
  }
  const resume = () => {
    if (!film.current || !goOn.current) return
    film.current.currentTime = goOn.current.atS
    if (goOn.current.plays) film.current.play().catch(() => undefined)
  }

  if (isBroken) {
    const again = () => {
      goOn.current = null
      setSrc(queryClient.getQueryData(videoQuery(uuid).queryKey)?.videoUrl ?? given)
      setBroken(false)
    }
    return (
      <div className={css.state} role="alert">
        <p>This film could not be played. Check the connection and try again.</p>
        <Button onClick={again}>Try again</Button>
      </div>
    )
  }
  return (
    <video
      ref={film}
      className={css.screen}
      src={src}
      poster={poster ?? undefined}
      preload="metadata"
      controls
      playsInline
      onError={renew}
      onLoadedMetadata={resume}
      onPlaying={() => {
        goOn.current = null
      }}
    >
      {/* Nobody writes captions for these films; an empty track shows no button and keeps the place for them. */}
      <track kind="captions" />
    </video>
  )
}
