/** The videos in progress and the last ones that ended. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './recent-card.module.css'
import { RecentCard } from './recent-card.tsx'
import { useRecentVideos } from './recent-query.ts'
import pageStyles from './studio-page.module.css'

export function RecentVideos() {
  const { videos, error, refetch } = useRecentVideos()
  return (
    <section className={`stack ${pageStyles.films}`} aria-label={t`Your latest films`}>
      <div className="page-head">
        <h2>{t`Your latest films`}</h2>
        {videos?.length ? <Link to="/library">{t`All films`}</Link> : null}
      </div>
      {videos ? (
        videos.length > 0 ? (
          <ul className={styles.cards}>
            {videos.map((video) => (
              <RecentCard key={video.uuid} video={video} />
            ))}
          </ul>
        ) : (
          <EmptyState>{t`Your films will be here, from the moment you press Generate.`}</EmptyState>
        )
      ) : error ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <LoadingState label={t`Loading your films`}>
          <div className={styles.cards}>
            {['one', 'two', 'three'].map((name) => (
              <span key={name} className={styles.skeletonCard}>
                <SkeletonBlock height="328px" />
              </span>
            ))}
          </div>
        </LoadingState>
      )}
    </section>
  )
}
