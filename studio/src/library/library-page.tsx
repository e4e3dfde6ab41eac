/**
 * All films of the reader, newest first. The rule: what is looked for stands in the address, so that it can be shared
 * and the back button undoes it.
 */
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { useDeletedUuids } from './deletion.ts'
import { Filters } from './filters.tsx'
import css from './library.module.css'
import { ShowMore } from './show-more.tsx'
import { GridSkeleton, VideoGrid } from './video-grid.tsx'
import { filtersOf, rememberFilters, videosOf, videosQuery } from './video-list.ts'

const route = getRouteApi('/signed-in/library')

export function LibraryPage() {
  const search = route.useSearch()
  const filters = useMemo(() => filtersOf(search), [search])
  useEffect(() => rememberFilters(filters), [filters])
  const list = useInfiniteQuery(videosQuery(filters))
  const deleted = useDeletedUuids()
  const loaded = useMemo(() => (list.data ? videosOf(list.data) : []), [list.data])
  const shown = useMemo(() => loaded.filter(({ uuid }) => !deleted.has(uuid)), [loaded, deleted])
  const total = (list.data?.pages.at(-1)?.total ?? 0) - (loaded.length - shown.length)
  const isFiltered = Object.keys(filters).length > 0
  const isNew = list.data !== undefined && total === 0 && !isFiltered
  return (
    <div className={`page ${css.page}`}>
      <title>Library · Kinora</title>
      <div className="page-head">
        <h1>Library</h1>
        <p className="quiet" role="status">
          {list.data && !isNew ? counted(total) : ''}
        </p>
      </div>
      {isNew ? null : <Filters filters={filters} />}
      {list.isPending ? (
        <LoadingState label="Loading your films">
          <GridSkeleton />
        </LoadingState>
      ) : null}
      {list.error && !list.data ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.data && shown.length === 0 && !list.hasNextPage ? <Nothing isFiltered={isFiltered} /> : null}
      {shown.length > 0 ? <VideoGrid films={shown} isStale={list.isPlaceholderData} /> : null}
      {list.data ? <ShowMore list={list} shown={shown.length} total={total} /> : null}
    </div>
  )
}

const counted = (total: number): string => `${formatNumber(total)} ${total === 1 ? 'film' : 'films'}`

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const navigate = route.useNavigate()
  if (isFiltered) {
    return (
      <EmptyState step={<Button onClick={() => navigate({ search: {} })}>Clear the filters</Button>}>
        No film matches. Another word or fewer filters may find it.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      step={
        <Link to="/" className={buttonClass('primary')}>
          Make a film
        </Link>
      }
    >
      Your films will be here, the newest first, each in its own shape. The first one begins with a prompt.
    </EmptyState>
  )
}
