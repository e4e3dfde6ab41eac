/** The actions of a film on its page and in the dialog of a card: those of the stage, its folder, link and deletion. */
import { t } from '@lingui/core/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ListedVideo, queryClient, videoQuery } from '../api.ts'
import { isCut } from '../cuts.ts'
import { FilmActions } from '../studio/film-actions.tsx'
import type { Draft } from '../studio/form-values.ts'
import { useMayChange } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { copyText } from '../ui/clipboard.ts'
import { formatDateTime } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import { deleteVideo } from './deletion.ts'
import { FolderSelect } from './folder-select.tsx'

type Props = {
  video: ListedVideo
  /** Of the studio's page. */
  onDraft?: ((draft: Draft) => void) | undefined
  /** What the actions stand on goes: the film is deleted, or the form has it. */
  onLeave: () => void
}

export function VideoActions({ video, onDraft, onLeave }: Props) {
  const { uuid, videoUrl, folderId } = video
  const mayChange = useMayChange()(video)
  const navigate = useNavigate()
  return (
    <FilmActions
      isTitled
      video={video}
      onDraft={onDraft}
      onCreated={([copy]) => copy && navigate({ to: '/library/$uuid', params: { uuid: copy } })}
      {...(onDraft && { onStarted: onLeave })}
      keep={
        <>
          {videoUrl && !onDraft && !isCut(video) ? (
            <Link to="/" search={{ film: uuid }} className={buttonClass()} preload={false}>
              {t`Show on the stage`}
            </Link>
          ) : null}
          {mayChange ? (
            <>
              <FolderSelect uuids={[uuid]} folderId={folderId} />
              <Button
                kind="danger"
                onClick={() => {
                  deleteVideo(video)
                  onLeave()
                }}
              >
                {t`Delete`}
              </Button>
            </>
          ) : null}
        </>
      }
      send={videoUrl ? <Button onClick={() => copyLink(uuid, videoUrl)}>{t`Copy file link`}</Button> : null}
    />
  )
}

/** A copied link stays valid for at least this long; one that expires sooner is renewed before it is copied. */
const LINK_VALID_MIN_MS = 3600_000

async function copyLink(uuid: string, cachedLink: string): Promise<void> {
  const isValidLongEnough = (expiryOf(cachedLink)?.getTime() ?? 0) - Date.now() > LINK_VALID_MIN_MS
  const fresh = isValidLongEnough
    ? null
    : await queryClient.fetchQuery({ ...videoQuery(uuid), staleTime: 0 }).catch(() => null)
  const link = fresh?.videoUrl ?? cachedLink
  const expiry = expiryOf(link)
  if (!(await copyText(link))) {
    toast({ text: t`This browser does not let a page copy. Open the film by Download and copy its address.` })
    return
  }
  toast({
    text: expiry
      ? t`Link copied. It plays the film without an account until ${formatDateTime(expiry.toISOString())}.`
      : t`Link copied.`,
  })
}

/** When a signed link expires; null for a link without an expiry. */
function expiryOf(link: string): Date | null {
  const exp = Number(new URL(link).searchParams.get('exp'))
  return exp > 0 ? new Date(exp * 1000) : null
}
