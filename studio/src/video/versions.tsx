/**
 * The versions of a film that was made from another one, which may be made from one before: v1, v2, v3, each with its
 * name and a way back to it.
 */

import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queryClient, videoQuery } from '../api.ts'
import { type NamedFilm, useFilmNames } from '../film-name.ts'
import styles from './versions.module.css'

/** `film`: null of one that was deleted. */
type Version = { uuid: string; film: NamedFilm | null }

/** They are read one after the other. */
const VERSIONS_MAX = 24

const versionsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['versions', uuid],
    queryFn: async () => {
      const versions: Version[] = []
      for (let next: string | undefined = uuid; next && versions.length < VERSIONS_MAX; ) {
        const video = await readVideo(next)
        versions.unshift({ uuid: next, film: video })
        next = video?.inputs?.find(({ role }) => role === 'film')?.video ?? undefined
      }
      return versions
    },
    staleTime: 60_000,
  })

const readVideo = (uuid: string) =>
  queryClient.fetchQuery({ ...videoQuery(uuid), staleTime: 60_000, retry: false }).catch((error) => {
    if (error.code === 'NOT_FOUND') return null
    throw error
  })

type Props = {
  uuid: string
  /** The latest of the versions among which the user goes back and forth. */
  latest?: string | null
  /** Absent: each is a link to its page. */
  onChoose?: (uuid: string, latest: string) => void
}

export function Versions({ uuid, latest = null, onChoose }: Props) {
  const filmName = useFilmNames()
  const own = useQuery(versionsQuery(uuid))
  const later = useQuery({ ...versionsQuery(latest ?? uuid), enabled: latest !== null })
  const isAmong = latest !== null && later.data?.some((each) => each.uuid === uuid) === true
  const versions = (isAmong ? later.data : own.data) ?? []
  if (versions.length < 2) return null
  return (
    <ol className={styles.versions} data-row={onChoose !== undefined} aria-label={t`Versions`}>
      {versions.map((version, at) => {
        const name = version.film && filmName(version.film)
        const current = version.uuid === uuid && { 'aria-current': 'true' as const }
        const content = (
          <>
            <strong>{t`v${at + 1}`}</strong> <span dir="auto">{name ?? t`Deleted film`}</span>
          </>
        )
        return (
          <li key={version.uuid}>
            {name === null ? (
              <span className={styles.version}>{content}</span>
            ) : onChoose ? (
              <button
                type="button"
                className={styles.version}
                title={name}
                {...current}
                onClick={() => onChoose(version.uuid, versions.at(-1)?.uuid ?? uuid)}
              >
                {content}
              </button>
            ) : (
              <Link to="/library/$uuid" params={{ uuid: version.uuid }} className={styles.version} {...current}>
                {content}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}
