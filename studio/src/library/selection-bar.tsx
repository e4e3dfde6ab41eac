/** What is done with the selected films: favourites, folder, download as one archive, delete. */
import { plural, t } from '@lingui/core/macro'
import type { ListedVideo } from '../api.ts'
import { downloadHref } from '../chosen-team.ts'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
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
          {isMaker && videos.every(mayChange) ? (
            <>
              <Button onClick={() => void arrangeVideos(uuids, { favourite: !areFavourites })}>
                {areFavourites ? t`No favourites` : t`Favourite`}
              </Button>
              <FolderSelect uuids={uuids} folderId={undefined} onMoved={onDone} />
            </>
          ) : null}
          {films.length > 0 ? (
            <a
              className={buttonClass()}
              href={downloadHref(
                '/api/v1/video/archive',
                films.map(({ uuid }) => ['uuid', uuid]),
              )}
              download
            >
              {t`Download`}
            </a>
          ) : null}
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
