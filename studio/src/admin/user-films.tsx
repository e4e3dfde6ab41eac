/** A user's latest films that have ended, with a link to all of them. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { EndedTable } from './ended-videos.tsx'
import { endedVideosQuery } from './video-queries.ts'

const SHOWN = 5

export function UserFilms({ id }: { id: string }) {
  const { data, error, refetch } = useInfiniteQuery(endedVideosQuery({ userId: id }, SHOWN))
  const videos = data?.pages[0]?.videos
  return (
    <div className="stack">
      <div className="page-head">
        <h2>{t`Films`}</h2>
        <Link to="/admin/videos" search={{ userId: id, state: 'ended' }} className="button">
          {t`Films that ended`}
        </Link>
      </div>
      {error && !videos ? <ErrorState error={error} retry={refetch} /> : null}
      {videos || error ? null : <TableSkeleton label={t`Loading the films`} />}
      {videos?.length === 0 ? <EmptyState>{t`No film has ended yet.`}</EmptyState> : null}
      {videos?.length ? <EndedTable videos={videos} isOfOneUser /> : null}
    </div>
  )
}
