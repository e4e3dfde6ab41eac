/**
 * The user's videos, newest first. The filters live in the search params, so that a filtered list can be shared and the back
 * button undoes a filter.
 */
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { ShowMore } from '../ui/infinite-list.tsx'
import { pageTitle } from '../ui/page-title.ts'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { useDeletedUuids } from './deletion.ts'
import { Filters } from './filters.tsx'
import styles from './library.module.css'
import { GridSkeleton, VideoGrid } from './video-grid.tsx'
import { filtersOf, rememberFilters, videosOf, videosQuery } from './video-list.ts'

const route = getRouteApi('/signed-in/library')

export function LibraryPage() {
  const search = route.useSearch()
  const filters = useMemo(() => filtersOf(search), [search])
  useEffect(() => rememberFilters(filters), [filters])
  const list = useInfiniteQuery(videosQuery(filters))
  const deletedUuids = useDeletedUuids()
  const loaded = useMemo(() => (list.data ? videosOf(list.data) : []), [list.data])
  const shown = useMemo(() => loaded.filter(({ uuid }) => !deletedUuids.has(uuid)), [loaded, deletedUuids])
  const total = (list.data?.pages.at(-1)?.total ?? 0) - (loaded.length - shown.length)
  const isFiltered = Object.keys(filters).length > 0
  const isEmpty = list.data !== undefined && total === 0 && !isFiltered
  return (
    <div className={`page ${styles.page}`}>
      <title>{pageTitle(t`Library`)}</title>
      <div className="page-head">
        <h1>{t`Library`}</h1>
        <p className="quiet" role="status">
          {list.data && !isEmpty ? countLabel(total) : ''}
        </p>
      </div>
      {isEmpty ? null : <Filters filters={filters} />}
      {list.isPending ? (
        <LoadingState label={t`Loading your films`}>
          <GridSkeleton />
        </LoadingState>
      ) : null}
      {list.error && !list.data ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.data && shown.length === 0 && !list.hasNextPage ? <EmptyLibrary isFiltered={isFiltered} /> : null}
      {shown.length > 0 ? <VideoGrid videos={shown} isStale={list.isPlaceholderData} /> : null}
      {list.data ? <ShowMore autoLoad list={list} shown={shown.length} total={total} /> : null}
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
