/** What the list of videos is narrowed by: all in progress or the overdue ones, one user, one provider. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { formatNumber } from '../ui/format.ts'
import { providers, user, type VideoFilter } from './queries.ts'
import look from './videos-page.module.css'
import '../ui/segmented-control.css'
import '../ui/field.css'

type Props = { filter: VideoFilter; counts: { inProgress: number; overdue: number } | undefined }

const quietly = { resetScroll: false } as const

export function VideoFilters({ filter, counts }: Props) {
  const { state, ...rest } = filter
  return (
    <>
      <nav className="segmented-control" aria-label="Which videos">
        <Link to="/admin/videos" search={rest} activeOptions={{ exact: true }} {...quietly}>
          In progress <Count of={counts?.inProgress} />
        </Link>
        <Link to="/admin/videos" search={{ ...rest, state: 'overdue' }} activeOptions={{ exact: true }} {...quietly}>
          Overdue <Count of={counts?.overdue} />
        </Link>
      </nav>
      <ProviderChoice filter={filter} />
      {filter.userId ? <OfUser id={filter.userId} filter={filter} /> : null}
    </>
  )
}

const Count = ({ of }: { of: number | undefined }) => (of === undefined ? null : <b>{formatNumber(of)}</b>)

function ProviderChoice({ filter }: { filter: VideoFilter }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  const { data } = useQuery({ ...providers, refetchInterval: false })
  const { provider: chosen, state, ...rest } = filter
  const ids = new Set([...(data?.providers.map(({ id }) => id) ?? []), ...(chosen ? [chosen] : [])])
  return (
    <select
      className={`input ${look.provider}`}
      aria-label="Provider"
      value={chosen ?? ''}
      onChange={({ target }) =>
        navigate({
          search: {
            ...rest,
            ...(state === 'overdue' ? { state } : {}),
            ...(target.value ? { provider: target.value } : {}),
          },
          replace: true,
          ...quietly,
        })
      }
    >
      <option value="">Every provider</option>
      {[...ids].map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}

function OfUser({ id, filter: { userId: _, state, ...rest } }: { id: string; filter: VideoFilter }) {
  const { data } = useQuery(user(id))
  return (
    <span className="row">
      <span>
        Of{' '}
        <Link to="/admin/users/$id" params={{ id }}>
          {data?.email ?? id}
        </Link>
      </span>
      <Link
        to="/admin/videos"
        search={{ ...rest, ...(state === 'overdue' ? { state } : {}) }}
        className="button quiet"
        {...quietly}
      >
        Show everybody’s
      </Link>
    </span>
  )
}
