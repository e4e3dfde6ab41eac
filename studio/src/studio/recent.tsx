/** What is being made and what was made last. */
import { Link } from '@tanstack/react-router'
import { Blank, Empty, Problem, Waiting } from '../ui/states.tsx'
import css from './card.module.css'
import { Card } from './card.tsx'
import { useRecent } from './recent.ts'

export function Recent() {
  const { videos, error, refetch } = useRecent()
  return (
    <section className="stack" aria-label="Your latest films">
      <div className="page-head">
        <h2>Your latest films</h2>
        {videos?.length ? <Link to="/library">All films</Link> : null}
      </div>
      {videos ? (
        videos.length > 0 ? (
          <ul className={css.cards}>
            {videos.map((video) => (
              <Card key={video.uuid} video={video} />
            ))}
          </ul>
        ) : (
          <Empty>Your films will be here, from the moment you press Generate.</Empty>
        )
      ) : error ? (
        <Problem error={error} retry={() => refetch()} />
      ) : (
        <Waiting label="Loading your films">
          <div className={css.cards}>
            {['one', 'two', 'three'].map((name) => (
              <span key={name} className={css.waitingCard}>
                <Blank height="328px" />
              </span>
            ))}
          </div>
        </Waiting>
      )}
    </section>
  )
}
