/** What is done with the selected films: favourites, folder, download as one archive, delete. */
import { plural, t } from '@lingui/core/macro'
import type { ListedVideo } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { fetchThroughGate } from '../read-gate.ts'
import { useSingleFlight } from '../single-flight.ts'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toasts.tsx'
import { arrangeVideos, BULK_MAX } from './arrange.ts'
import { deleteVideos } from './deletion.ts'
import { FolderSelect } from './folder-select.tsx'
import styles from './library.module.css'

type Props = {
  /** The films of the list that are loaded. */
  shown: ListedVideo[]
  selected: ReadonlySet<string>
  onSelect: (uuids: ReadonlySet<string>) => void
  onDone: () => void
}

export function SelectionBar({ shown, selected, onSelect, onDone }: Props) {
  const isMaker = isAtLeast(useTeam(), 'maker')
  const mayChange = useMayChange()
  const videos = shown.filter(({ uuid }) => selected.has(uuid))
  const uuids = videos.map(({ uuid }) => uuid)
  const areFavourites = videos.every(({ favourite }) => favourite)
  const films = videos.filter(({ videoUrl }) => videoUrl !== null)
  const all = shown.slice(0, BULK_MAX).map(({ uuid }) => uuid)
  return (
    <section className={styles.bar} aria-label={t`Selected films`}>
      <p role="status">{plural(uuids.length, { one: '# selected', other: '# selected' })}</p>
      <Button kind="quiet" onClick={() => onSelect(new Set(uuids.length === all.length ? [] : all))}>
        {uuids.length === all.length ? t`Select none` : t`Select all`}
      </Button>
      {uuids.length > 0 ? (
        <>
          {isMaker ? (
            <>
              <Button onClick={() => void arrangeVideos(uuids, { favourite: !areFavourites })}>
                {areFavourites ? t`No favourites` : t`Favourite`}
              </Button>
              <FolderSelect uuids={uuids} folderId={undefined} onMoved={onDone} />
            </>
          ) : null}
          {films.length > 0 ? <ArchiveDownload films={films} /> : null}
          {isMaker ? (
            <Button
              kind="danger"
              disabled={!videos.every(mayChange)}
              title={
                videos.every(mayChange)
                  ? undefined
                  : t`Another member made some of these films; an admin of the team may delete them.`
              }
              onClick={() => {
                deleteVideos(videos)
                onDone()
              }}
            >
              {t`Delete`}
            </Button>
          ) : null}
        </>
      ) : null}
      <Button className={styles.done} onClick={onDone}>{t`Done`}</Button>
    </section>
  )
}

/**
 * A link, so that the browser writes the archive to disk as it arrives. A link has no headers, and so names no team: the page itself reads
 * the archive of a team's films.
 */
function ArchiveDownload({ films }: { films: ListedVideo[] }) {
  const read = useSingleFlight({
    mutationFn: async () => {
      const response = await fetchThroughGate(new Request(archiveUrl(films)))
      if (!response.ok) throw new Error(`The archive was answered with ${response.status}.`)
      saveFile(await response.blob(), `films-${new Date().toISOString().slice(0, 10)}.zip`)
    },
    onError: () => toast({ text: t`The films were not downloaded. Try again.` }),
  })
  return chosenTeam() ? (
    <Button busy={read.isPending} onClick={() => read.mutate()}>{t`Download`}</Button>
  ) : (
    <a className={buttonClass()} href={archiveUrl(films)} download>
      {t`Download`}
    </a>
  )
}

const archiveUrl = (films: ListedVideo[]): string =>
  `/api/v1/video/archive?${films.map(({ uuid }) => `uuid=${uuid}`).join('&')}`
