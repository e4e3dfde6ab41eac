/** The library's filters: status, model, and a search in the prompts. Each change writes the search params. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { modelsQuery } from '../api.ts'
import { type Status, statusLabels } from '../ui/format.ts'
import { SearchField } from '../ui/search-field.tsx'
import styles from './library.module.css'
import { type Filters as FilterValues, SEARCH_CHARACTERS_MAX } from './video-list.ts'

const route = getRouteApi('/signed-in/library')
const statuses = Object.entries(statusLabels()) as [Status, string][]

export function Filters({ filters }: { filters: FilterValues }) {
  const navigate = route.useNavigate()
  const setFilter = (name: 'status' | 'model', value: string) =>
    navigate({ search: (search) => withParam(search, name, value), resetScroll: false })
  return (
    <search className={styles.filters}>
      <SearchField
        label={t`Search your prompts`}
        placeholder={t`Search your prompts`}
        className={styles.search}
        charactersMax={SEARCH_CHARACTERS_MAX}
        text={filters.q ?? ''}
        onSearch={(text, { replace }) =>
          navigate({ search: (search) => withParam(search, 'q', text), replace, resetScroll: false })
        }
      />
      <select
        className={`input ${styles.select}`}
        aria-label={t`Status`}
        value={filters.status ?? ''}
        onChange={({ target }) => setFilter('status', target.value)}
      >
        <option value="">{t`Every status`}</option>
        {statuses.map(([status, label]) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </select>
      <select
        className={`input ${styles.select}`}
        aria-label={t`Model`}
        value={filters.model ?? ''}
        onChange={({ target }) => setFilter('model', target.value)}
      >
        <option value="">{t`Every model`}</option>
        <ModelOptions chosen={filters.model} />
      </select>
    </search>
  )
}

type Search = { status?: string; model?: string; q?: string }
/** Sets one search param; an empty value removes it. */
function withParam(search: Search, name: keyof Search, value: string): Search {
  const { [name]: _, ...others } = search
  return value ? { ...others, [name]: value } : others
}

/** Lists a chosen model that is no longer offered too: its videos still exist, and a link may filter by it. */
function ModelOptions({ chosen }: { chosen: string | undefined }) {
  const { data } = useQuery(modelsQuery)
  const models = data?.models ?? []
  return (
    <>
      {models.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {chosen !== undefined && !models.some(({ id }) => id === chosen) ? (
        <option value={chosen}>{chosen}</option>
      ) : null}
    </>
  )
}
