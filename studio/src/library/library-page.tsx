/**
 * The user's videos, newest first unless the user chooses otherwise, several of which can be selected. The filters live in the search params, so that a filtered list can be shared and the back
 * button undoes a filter.
 */
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { browserStorage } from '../browser-storage.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { ShowMore } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { BULK_MAX } from './arrange.ts'
import { useDeletedUuids } from './deletion.ts'
import { Filters } from './filters.tsx'
import { FoldersDialog } from './folders-dialog.tsx'
import styles from './library.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { GridSkeleton, VideoGrid } from './video-grid.tsx'
import { filtersOf, makerNames, rememberFilters, videosOf, videosQuery, withoutEmpty } from './video-list.ts'

const route = getRouteApi('/signed-in/library')

export function LibraryPage() {
  const search = route.useSearch()
  const filters = useMemo(() => filtersOf(search), [search])
  useEffect(() => rememberFilters(filters), [filters])
  const list = useInfiniteQuery(videosQuery(filters))
  const deletedUuids = useDeletedUuids()
  const loaded = useMemo(() => (list.data ? videosOf(list.data) : []), [list.data])
  const shown = useMemo(() => loaded.filter(({ uuid }) => !deletedUuids.has(uuid)), [loaded, deletedUuids])
  const makerOf = useMemo(() => makerNames(list.data?.pages ?? []), [list.data])
  const total = (list.data?.pages.at(-1)?.total ?? 0) - (loaded.length - shown.length)
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort')
  const isEmpty = list.data !== undefined && total === 0 && !isFiltered
  const { selected, setSelected, onSelect } = useSelection()
  const [isDense, setDense] = useDensity()
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle of={[t`Library`]} />
      <div className="page-head">
        <h1>{t`Library`}</h1>
        <p className="quiet" role="status">
          {list.data && !isEmpty ? countLabel(total) : ''}
        </p>
        {isEmpty ? null : (
          <Controls
            isOldestFirst={filters.sort === 'oldest'}
            isDense={isDense}
            onDensity={setDense}
            isSelecting={selected !== null}
            onSelecting={(isSelecting) => setSelected(isSelecting ? new Set() : null)}
          />
        )}
      </div>
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
      {shown.length > 0 ? (
        <VideoGrid
          videos={shown}
          makerOf={makerOf}
          isStale={list.isPlaceholderData}
          isDense={isDense}
          selected={selected}
          onSelect={onSelect}
        />
      ) : null}
      {list.data ? <ShowMore autoLoad list={list} shown={shown.length} total={total} /> : null}
      {selected ? (
        <SelectionBar shown={shown} selected={selected} onSelect={setSelected} onDone={() => setSelected(null)} />
      ) : null}
    </div>
  )
}

/** The selected uuids; null: the user selects none now. */
function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const onSelect = useCallback((uuid: string) => {
    setSelected((latest) => {
      if (!latest) return latest
      if (latest.has(uuid)) return new Set([...latest].filter((each) => each !== uuid))
      // A new set at the limit too has the boxes rendered again: one that is not rendered would stay as it was clicked.
      return new Set(latest.size < BULK_MAX ? [...latest, uuid] : latest)
    })
  }, [])
  return { selected, setSelected, onSelect }
}

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
      <select
        className={`input ${styles.sort}`}
        aria-label={t`Sort`}
        value={isOldestFirst ? 'oldest' : ''}
        onChange={({ target: { value } }) =>
          navigate({ search: (search) => withoutEmpty({ ...search, sort: value }), resetScroll: false })
        }
      >
        <option value="">{t`Newest first`}</option>
        <option value="oldest">{t`Oldest first`}</option>
      </select>
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
