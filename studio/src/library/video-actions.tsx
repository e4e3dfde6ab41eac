/**
 * The actions of a video: download, show on the stage, upscale, copy the link to its file, share, publish, try again
 * with its settings, delete. In a team those of the user's role.
 */
import { t } from '@lingui/core/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type ListedVideo, queryClient, videoQuery } from '../api.ts'
import { FrameButton } from '../cast/frame-button.tsx'
import { PublishDialog } from '../explore/publish-dialog.tsx'
import { site } from '../site.ts'
import { CancelButton } from '../studio/cancel-button.tsx'
import { UpscaleButton } from '../studio/upscale-button.tsx'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { copyText } from '../ui/clipboard.ts'
import { formatDateTime, isFinal } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import { TryAgainLink } from '../video/try-again-link.tsx'
import { downloadUrl } from '../video/unplayable-film.tsx'
import { deleteVideo } from './deletion.ts'
import { FavouriteButton } from './favourite-button.tsx'
import { FolderSelect } from './folder-select.tsx'
import styles from './player.module.css'
import { useBackToLibrary } from './player-navigation.ts'
import { ShareDialog } from './share-dialog.tsx'

export function VideoActions({ video }: { video: ListedVideo }) {
  const { uuid, videoUrl } = video
  const mayChange = useMayChange()(video)
  const isMaker = isAtLeast(useTeam(), 'maker')
  const navigate = useNavigate()
  const backToLibrary = useBackToLibrary({ replace: true })
  const [isSharing, setSharing] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  return (
    <div className={styles.actions}>
      {videoUrl ? (
        <>
          <a className={buttonClass('primary')} href={downloadUrl(videoUrl, video.prompt)} download>
            {t`Download`}
          </a>
          <Link to="/" search={{ film: uuid }} className={buttonClass()} preload={false}>
            {t`Show on the stage`}
          </Link>
          <UpscaleButton
            video={video}
            onCreated={([copy]) => copy && navigate({ to: '/library/$uuid', params: { uuid: copy } })}
          />
          {isMaker ? <FrameButton uuid={uuid} videoUrl={videoUrl} /> : null}
          <Button onClick={() => copyLink(uuid, videoUrl)}>{t`Copy file link`}</Button>
        </>
      ) : null}
      {videoUrl && mayChange ? (
        <>
          <Button onClick={() => setSharing(true)}>{t`Share`}</Button>
          {site.hasExplore ? <Button onClick={() => setPublishing(true)}>{t`Publish`}</Button> : null}
        </>
      ) : null}
      {mayChange && !isFinal(video.status) ? <CancelButton uuid={uuid} status={video.status} /> : null}
      {mayChange ? (
        <>
          <FavouriteButton video={video} />
          <FolderSelect uuids={[uuid]} folderId={video.folderId} />
        </>
      ) : null}
      <TryAgainLink video={video} className={buttonClass(videoUrl ? 'plain' : 'primary')} />
      {mayChange ? (
        <Button
          kind="danger"
          className={styles.delete}
          onClick={() => {
            deleteVideo(video)
            backToLibrary()
          }}
        >
          {t`Delete`}
        </Button>
      ) : null}
      {isSharing ? <ShareDialog uuid={uuid} onClose={() => setSharing(false)} /> : null}
      {isPublishing ? <PublishDialog uuid={uuid} onClose={() => setPublishing(false)} /> : null}
    </div>
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
