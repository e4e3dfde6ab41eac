/** Dialog in which the user chooses one of the own finished films, as an input of the next one. */

import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedVideo } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { SEARCH_CHARACTERS_MAX, videosOf, videosQuery } from '../library/video-list.ts'
import { useModelNames } from '../model-name.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PagedList } from '../ui/infinite-list.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import styles from './film-picker.module.css'

type Props = { title: string; onChoose: (video: ListedVideo) => void; onClose: () => void }

export function FilmPicker({ title, onChoose, onClose }: Props) {
  const [q, setQ] = useState('')
  const list = useInfiniteQuery(videosQuery({ status: 'COMPLETED', ...(q && { q }) }))
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
          rowsOf={(page) => videosOf({ pages: [page] }).filter(({ videoUrl }) => videoUrl !== null)}
          loading={t`Loading your films`}
          empty={t`There is no finished film to choose.`}
        >
          {(videos) => (
            <ul className={styles.films} aria-label={t`Your films`}>
              {videos.map((video) => (
                <li key={video.uuid}>
                  <button type="button" className={styles.film} onClick={() => onChoose(video)}>
                    <span className={styles.frame} style={aspectRatioStyle(video.aspectRatio)}>
                      {video.thumbnailUrl ? <img src={video.thumbnailUrl} alt="" loading="lazy" /> : null}
                    </span>
                    <span className={styles.prompt} dir="auto">
                      {filmName(video)}
                    </span>
                    <span className="quiet small">{t`${nameOf(video.model)} · ${Math.round(video.duration)} s`}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </Dialog>
  )
}
