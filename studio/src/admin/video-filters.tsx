/** Filters of the video lists, kept in the URL: in progress, overdue or ended, provider, user. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { optionalParams } from '../search-params.ts'
import { formatNumber } from '../ui/format.ts'
import { OwnerOfId } from './owner-link.tsx'
import { providersQuery } from './queries.ts'
import styles from './videos-page.module.css'
import '../ui/segmented-control.css'
import '../ui/field.css'

type Props = {
  filter: { userId?: string; provider?: string }
  counts: { inProgress: number; overdue: number } | undefined
  /** Filters of one state. */
  children?: ReactNode
}

const keepScroll = { resetScroll: false } as const

export function VideoFilters({ filter: { userId, provider }, counts, children }: Props) {
  const kept = optionalParams({ userId, provider })
  return (
    <>
      <nav className="segmented-control" aria-label={t`Which films`}>
        <Link to="/admin/videos" search={kept} activeOptions={{ exact: true }} {...keepScroll}>
          <Trans>
            In progress <Count value={counts?.inProgress} />
          </Trans>
        </Link>
        <Link to="/admin/videos" search={{ ...kept, state: 'overdue' }} activeOptions={{ exact: true }} {...keepScroll}>
          <Trans>
            Overdue <Count value={counts?.overdue} />
          </Trans>
        </Link>
        <Link to="/admin/videos" search={{ ...kept, state: 'ended' }} {...keepScroll}>
          {t`Ended`}
        </Link>
      </nav>
      {children}
      <ProviderFilter selected={provider} />
      {userId ? <UserFilter userId={userId} /> : null}
    </>
  )
}

const Count = ({ value }: { value: number | undefined }) => (value === undefined ? null : <b>{formatNumber(value)}</b>)

function ProviderFilter({ selected }: { selected: string | undefined }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  const { data } = useQuery({ ...providersQuery, refetchInterval: false })
  const ids = new Set([...(data?.providers.map(({ id }) => id) ?? []), ...(selected ? [selected] : [])])
  return (
    <select
      className={`input ${styles.filter}`}
      aria-label={t`Provider`}
      value={selected ?? ''}
      onChange={({ target }) =>
        navigate({
          search: (previous) => optionalParams({ ...previous, provider: target.value || undefined }),
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

function UserFilter({ userId }: { userId: string }) {
  return (
    <span className="row">
      <span>
        <Trans>
          Of <OwnerOfId id={userId} />
        </Trans>
      </span>
      <Link
        from="/admin/videos"
        to="/admin/videos"
        search={(previous) => optionalParams({ ...previous, userId: undefined })}
        className="button quiet"
        {...keepScroll}
      >
        {t`Show every user’s`}
      </Link>
    </span>
  )
}
