/**
 * The user's videos, newest first unless the user chooses otherwise, several of which can be selected. The filters live
 * in the search params, so that a filtered list can be shared and the back button undoes a filter.
 */

import { plural, t } from '@lingui/core/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { ListedVideo, VideoPage } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { downloadHref } from '../chosen-team.ts'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { PagedRows } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { arrangeVideos, BULK_MAX } from './arrange.ts'
import { deleteVideos, useDeletedUuids } from './deletion.ts'
import { Filters } from './filters.tsx'
import { FolderSelect } from './folder-select.tsx'
import { FoldersDialog } from './folders-dialog.tsx'
import styles from './library.module.css'
import { GridSkeleton, VideoGrid } from './video-grid.tsx'
import { filtersOf, makerNames, ratioOf, rememberFilters, videosOf, videosQuery, withoutEmpty } from './video-list.ts'

const route = getRouteApi('/signed-in/library')

export function LibraryPage() {
  const search = route.useSearch()
  const filters = useMemo(() => filtersOf(search), [search])
  useEffect(() => rememberFilters(filters), [filters])
  const list = usePages(videosQuery(filters))
  const deletedUuids = useDeletedUuids()
  const rowsOf = useCallback(
    ({ videos }: VideoPage) => videos.filter(({ uuid }) => !deletedUuids.has(uuid)),
    [deletedUuids],
  )
  const loaded = useMemo(() => (list.data ? videosOf(list.data) : []), [list.data])
  const shown = useMemo(() => list.data?.pages.flatMap(rowsOf) ?? [], [list.data, rowsOf])
  const makerOf = useMemo(() => makerNames(list.data?.pages ?? []), [list.data])
  const total = (list.data?.pages.at(-1)?.total ?? 0) - (loaded.length - shown.length)
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort')
  const isEmpty = list.data !== undefined && total === 0 && !isFiltered
  const { selected, setSelected, onSelect } = useSelection(shown)
  const [isDense, setDense] = useDensity()
  return (
    <Page
      title={t`Library`}
      aside={
        <>
          <p className="quiet" role="status">
            {list.data && !isEmpty ? countLabel(total) : ''}
          </p>
          {isEmpty ? null : (
            <Controls
              isOldestFirst={filters.sort === 'oldest'}
              isDense={isDense}
              onDensity={setDense}
              isSelecting={selected !== null}
              onSelecting={(isSelecting) => setSelected(isSelecting ? new Map() : null)}
            />
          )}
        </>
      }
      className={styles.page}
    >
      {isEmpty ? null : (
        <Filters
          filters={filters}
          makers={list.data?.pages.flatMap(({ makers }) => makers) ?? []}
          hasSubjects={loaded.some(({ subject }) => subject !== null)}
        />
      )}
      {list.isPending ? (
        <LoadingState label={t`Loading your films`}>
          <GridSkeleton />
        </LoadingState>
      ) : null}
      {list.error && !list.data ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.data && shown.length === 0 && !list.hasNextPage ? <EmptyLibrary isFiltered={isFiltered} /> : null}
      <div className="results" aria-busy={list.isPlaceholderData}>
        <PagedRows list={list} rowsOf={rowsOf} shapeOf={ratioOf} total={list.data && total} autoLoad>
          {(videos) => (
            <VideoGrid videos={videos} makerOf={makerOf} isDense={isDense} selected={selected} onSelect={onSelect} />
          )}
        </PagedRows>
      </div>
      {selected ? (
        <SelectionBar shown={shown} selected={selected} onSelect={setSelected} onDone={() => setSelected(null)} />
      ) : null}
    </Page>
  )
}

type Selected = ReadonlyMap<string, ListedVideo>

/** The selected films by uuid, also those whose page is not kept; null: the user selects none now. */
function useSelection(shown: ListedVideo[]) {
  const [selected, setSelected] = useState<Selected | null>(null)
  const latest = useRef<string>(undefined)
  const onSelect = useEffectEvent((video: ListedVideo, isRange: boolean) => {
    const indexOf = (uuid: string | undefined) => shown.findIndex((each) => each.uuid === uuid)
    const [from, to] = [indexOf(latest.current), indexOf(video.uuid)]
    latest.current = video.uuid
    setSelected((before) => {
      if (!before) return before
      if (isRange && from >= 0) return withVideos(before, shown.slice(Math.min(from, to), Math.max(from, to) + 1))
      if (before.has(video.uuid)) return new Map([...before].filter(([uuid]) => uuid !== video.uuid))
      return withVideos(before, [video])
    })
  })
  return { selected, setSelected, onSelect }
}

/**
 * A new map at the limit too, which has the boxes rendered again: one that is not rendered would stay as it was
 * clicked.
 */
const withVideos = (selected: Selected, videos: ListedVideo[]): Selected =>
  new Map([...selected, ...videos.map((video) => [video.uuid, video] as const)].slice(0, BULK_MAX))

const DENSITY_KEY = 'kinora.density'

function useDensity() {
  const [isDense, setDense] = useState(() => browserStorage.read(DENSITY_KEY) === 'dense')
  const change = (next: boolean) => {
    browserStorage.write(DENSITY_KEY, next ? 'dense' : null)
    setDense(next)
  }
  return [isDense, change] as const
}

type ControlsProps = {
  isOldestFirst: boolean
  isDense: boolean
  onDensity: (isDense: boolean) => void
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
}

/** What changes how the list looks, and not what is in it. */
function Controls({ isOldestFirst, isDense, onDensity, isSelecting, onSelecting }: ControlsProps) {
  const navigate = route.useNavigate()
  const [isArranging, setArranging] = useState(false)
  const isMaker = isAtLeast(useTeam(), 'maker')
  return (
    <div className={styles.controls}>
      <Select
        className={styles.sort}
        aria-label={t`Sort`}
        value={isOldestFirst ? 'oldest' : undefined}
        none={t`Newest first`}
        options={{ oldest: t`Oldest first` }}
        onSelect={(sort) => navigate({ search: (search) => withoutEmpty({ ...search, sort }), resetScroll: false })}
      />
      <Button
        kind="quiet"
        aria-pressed={isDense}
        aria-label={t`Small cards`}
        title={t`Small cards`}
        onClick={() => onDensity(!isDense)}
      >
        {t`Small`}
      </Button>
      {isMaker ? <Button kind="quiet" onClick={() => setArranging(true)}>{t`Folders`}</Button> : null}
      <Button aria-pressed={isSelecting} onClick={() => onSelecting(!isSelecting)}>{t`Select`}</Button>
      {isArranging ? <FoldersDialog onClose={() => setArranging(false)} /> : null}
    </div>
  )
}

const countLabel = (total: number): string => plural(total, { one: '# film', other: '# films' })

function EmptyLibrary({ isFiltered }: { isFiltered: boolean }) {
  const navigate = route.useNavigate()
  if (isFiltered) {
    return (
      <EmptyState action={<Button onClick={() => navigate({ search: {} })}>{t`Clear the filters`}</Button>}>
        {t`No film matches. Another word or fewer filters may find it.`}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      action={
        <Link to="/" className={buttonClass('primary')}>
          {t`Make a film`}
        </Link>
      }
    >
      {t`Your films will be here, the newest first, each in its own shape. The first one begins with a prompt.`}
    </EmptyState>
  )
}

type Props = {
  /** The films of the list that are kept. */
  shown: ListedVideo[]
  selected: Selected
  onSelect: (videos: Selected) => void
  onDone: () => void
}

/** What is done with the selected films: favourites, folder, download as one archive, delete. */
function SelectionBar({ shown, selected, onSelect, onDone }: Props) {
  const isMaker = isAtLeast(useTeam(), 'maker')
  const mayChange = useMayChange()
  const newest = new Map([
    ...selected,
    ...shown.flatMap((each) => (selected.has(each.uuid) ? [[each.uuid, each] as const] : [])),
  ])
  const videos = [...newest.values()]
  const uuids = videos.map(({ uuid }) => uuid)
  const areFavourites = videos.every(({ favourite }) => favourite)
  const films = videos.filter(({ videoUrl }) => videoUrl !== null)
  const all = withVideos(new Map(), shown.slice(0, BULK_MAX))
  return (
    <section className={styles.bar} aria-label={t`Selected films`}>
      <p role="status">{plural(uuids.length, { one: '# selected', other: '# selected' })}</p>
      <Button kind="quiet" onClick={() => onSelect(uuids.length === all.size ? new Map() : all)}>
        {uuids.length === all.size ? t`Select none` : t`Select all`}
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
