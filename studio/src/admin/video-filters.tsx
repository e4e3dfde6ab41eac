/** Filters of the video list, kept in the URL: in progress or overdue, provider, user. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { formatNumber } from '../ui/format.ts'
import { providersQuery, userQuery, type VideoFilter } from './queries.ts'
import styles from './videos-page.module.css'
import '../ui/segmented-control.css'
import '../ui/field.css'

type Props = { filter: VideoFilter; counts: { inProgress: number; overdue: number } | undefined }

const keepScroll = { resetScroll: false } as const

export function VideoFilters({ filter, counts }: Props) {
  const { state, ...rest } = filter
  return (
    <>
      <nav className="segmented-control" aria-label={t`Which videos`}>
        <Link to="/admin/videos" search={rest} activeOptions={{ exact: true }} {...keepScroll}>
          <Trans>
            In progress <Count value={counts?.inProgress} />
          </Trans>
        </Link>
        <Link to="/admin/videos" search={{ ...rest, state: 'overdue' }} activeOptions={{ exact: true }} {...keepScroll}>
          <Trans>
            Overdue <Count value={counts?.overdue} />
          </Trans>
        </Link>
      </nav>
      <ProviderFilter filter={filter} />
      {filter.userId ? <UserFilter userId={filter.userId} filter={filter} /> : null}
    </>
  )
}

const Count = ({ value }: { value: number | undefined }) => (value === undefined ? null : <b>{formatNumber(value)}</b>)

function ProviderFilter({ filter }: { filter: VideoFilter }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  const { data } = useQuery({ ...providersQuery, refetchInterval: false })
  const { provider: selected, state, ...rest } = filter
  const ids = new Set([...(data?.providers.map(({ id }) => id) ?? []), ...(selected ? [selected] : [])])
  return (
    <select
      className={`input ${styles.provider}`}
      aria-label={t`Provider`}
      value={selected ?? ''}
      onChange={({ target }) =>
        navigate({
          search: {
            ...rest,
            ...(state === 'overdue' ? { state } : {}),
            ...(target.value ? { provider: target.value } : {}),
          },
          replace: true,
          ...keepScroll,
        })
      }
    >
      <option value="">{t`Every provider`}</option>
      {[...ids].map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}

function UserFilter({ userId, filter: { userId: _, state, ...rest } }: { userId: string; filter: VideoFilter }) {
  const { data } = useQuery(userQuery(userId))
  return (
    <span className="row">
      <span>
        <Trans>
          Of{' '}
          <Link to="/admin/users/$id" params={{ id: userId }}>
            {data?.email || userId}
          </Link>
        </Trans>
      </span>
      <Link
        to="/admin/videos"
        search={{ ...rest, ...(state === 'overdue' ? { state } : {}) }}
        className="button quiet"
        {...keepScroll}
      >
        {t`Show every user’s`}
      </Link>
    </span>
  )
}
