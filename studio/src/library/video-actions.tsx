/** What can be done with a film: take it along, pass it on, begin again from it, delete it. */
import { Link } from '@tanstack/react-router'
import { queryClient, videoQuery } from '../api.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { copyText } from '../ui/clipboard.ts'
import { formatDateTime } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import { deleteVideo } from './deletion.ts'
import css from './player.module.css'
import { useBackToLibrary } from './player-navigation.ts'
import type { ListedVideo } from './video-list.ts'

export function VideoActions({ film }: { film: ListedVideo }) {
  const { uuid, videoUrl } = film
  const back = useBackToLibrary({ replace: true })
  return (
    <div className={css.actions}>
      {videoUrl ? (
        <>
          <a className={buttonClass('primary')} href={downloadOf(videoUrl)} download>
            Download
          </a>
          <Button onClick={() => copyLink(uuid, videoUrl)}>Copy link</Button>
        </>
      ) : null}
      <Link to="/" search={{ again: uuid }} className={buttonClass(videoUrl ? 'plain' : 'primary')}>
        Use this prompt again
      </Link>
      <Button
        kind="danger"
        className={css.delete}
        onClick={() => {
          deleteVideo(film)
          back()
        }}
      >
        Delete
      </Button>
    </div>
  )
}

/** A signed link that makes the browser keep the film instead of showing it. */
function downloadOf(link: string): string {
  const url = new URL(link)
  url.searchParams.set('download', '')
  return url.href
}

/** A link that ends sooner is renewed before it is handed on. */
const GOOD_FOR_AT_LEAST_MS = 3600_000

async function copyLink(uuid: string, known: string): Promise<void> {
  const isLasting = (endOf(known)?.getTime() ?? 0) - Date.now() > GOOD_FOR_AT_LEAST_MS
  const fresh = isLasting ? null : await queryClient.fetchQuery({ ...videoQuery(uuid), staleTime: 0 }).catch(() => null)
  const link = fresh?.videoUrl ?? known
  const end = endOf(link)
  if (!(await copyText(link))) {
    toast({ text: 'This browser does not let a page copy. Open the film by Download and copy its address.' })
    return
  }
  toast({
    text: end ? `Link copied. Whoever has it can watch until ${formatDateTime(end.toISOString())}.` : 'Link copied.',
  })
}

/** Until when a signed link is good. */
function endOf(link: string): Date | null {
  const exp = Number(new URL(link).searchParams.get('exp'))
  return exp > 0 ? new Date(exp * 1000) : null
}
