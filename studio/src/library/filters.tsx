/** What the list is narrowed by: status, model, and words of the prompt. Each choice is an address of its own. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { modelsQuery } from '../api.ts'
import { type Status, statusLabels } from '../ui/format.ts'
import { SearchField } from '../ui/search-field.tsx'
import css from './library.module.css'
import { type Filters as Chosen, SEARCH_CHARACTERS_MAX } from './video-list.ts'

const route = getRouteApi('/signed-in/library')
const statuses = Object.entries(statusLabels) as [Status, string][]

export function Filters({ filters }: { filters: Chosen }) {
  const navigate = route.useNavigate()
  const choose = (name: 'status' | 'model', value: string) =>
    navigate({ search: (now) => changed(now, name, value), resetScroll: false })
  return (
    <search className={css.filters}>
      <SearchField
        label="Search your prompts"
        placeholder="Search your prompts"
        className={css.search}
        charactersMax={SEARCH_CHARACTERS_MAX}
        text={filters.q ?? ''}
        onSearch={(text, { replace }) =>
          navigate({ search: (now) => changed(now, 'q', text), replace, resetScroll: false })
        }
      />
      <select
        className={`input ${css.choice}`}
        aria-label="Status"
        value={filters.status ?? ''}
        onChange={({ target }) => choose('status', target.value)}
      >
        <option value="">Every status</option>
        {statuses.map(([status, word]) => (
          <option key={status} value={status}>
            {word}
          </option>
        ))}
      </select>
      <select
        className={`input ${css.choice}`}
        aria-label="Model"
        value={filters.model ?? ''}
        onChange={({ target }) => choose('model', target.value)}
      >
        <option value="">Every model</option>
        <ModelOptions chosen={filters.model} />
      </select>
    </search>
  )
}

type Search = { status?: string; model?: string; q?: string }
/** What is empty is left out of the address. */
function changed(now: Search, name: keyof Search, value: string): Search {
  const { [name]: _before, ...others } = now
  return value ? { ...others, [name]: value } : others
}

/** A link may name a model that is no longer offered; films made with it are still there. */
function ModelOptions({ chosen }: { chosen: string | undefined }) {
  const { data } = useQuery(modelsQuery)
  const offered = data?.models ?? []
  return (
    <>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {chosen !== undefined && !offered.some(({ id }) => id === chosen) ? (
        <option value={chosen}>{chosen}</option>
      ) : null}
    </>
  )
}
