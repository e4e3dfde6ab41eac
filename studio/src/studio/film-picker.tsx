/** Dialog in which the user chooses one of the own finished films, as an input of the next one. */

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ListedVideo, VideoPage } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { ratioOf, SEARCH_CHARACTERS_MAX, videosQuery } from '../library/video-list.ts'
import { useModelNames } from '../model-name.ts'
import { Dialog } from '../ui/dialog.tsx'
import { factsLine } from '../ui/facts-line.ts'
import { InfiniteCards } from '../ui/infinite-cards.tsx'
import { PagedList } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { SearchField } from '../ui/search-field.tsx'
import styles from './film-picker.module.css'

const withFile = ({ videos }: VideoPage) => videos.filter(({ videoUrl }) => videoUrl !== null)

type Props = { title: string; onChoose: (video: ListedVideo) => void; onClose: () => void }

export function FilmPicker({ title, onChoose, onClose }: Props) {
  const [q, setQ] = useState('')
  const list = usePages(videosQuery({ status: 'COMPLETED', ...(q && { q }) }))
  const nameOf = useModelNames()
  const filmName = useFilmNames()
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className={styles.picker}>
        <SearchField
          label={t`Search your films`}
          placeholder={t`Search your films`}
          text={q}
          charactersMax={SEARCH_CHARACTERS_MAX}
          onSearch={setQ}
        />
        <PagedList
          list={list}
          rowsOf={withFile}
          shapeOf={ratioOf}
          loading={t`Loading your films`}
          empty={t`There is no finished film to choose.`}
        >
          {(videos) => (
            <InfiniteCards className={styles.films} label={t`Your films`} rows={videos} keyOf={({ uuid }) => uuid}>
              {(video) => (
                <button type="button" className={styles.film} onClick={() => onChoose(video)}>
                  <span className={styles.frame}>
                    {video.thumbnailUrl ? <img src={video.thumbnailUrl} alt="" loading="lazy" /> : null}
                  </span>
                  <span className={styles.prompt} dir="auto">
                    {filmName(video)}
                  </span>
                  <span className="quiet small">
                    {factsLine(nameOf(video.model), t`${Math.round(video.duration)} s`)}
                  </span>
                </button>
              )}
            </InfiniteCards>
          )}
        </PagedList>
      </div>
    </Dialog>
  )
}
