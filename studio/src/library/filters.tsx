/** The library's filters: folder, status, model, a search in the prompts, and behind a button mode and dates. Each change writes the search params. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { modelsQuery } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { type Maker, makerName } from '../maker-name.ts'
import { membersQuery } from '../team/queries.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber, statusLabels } from '../ui/format.ts'
import { SearchField } from '../ui/search-field.tsx'
import { useTypedText } from '../ui/typed-text.ts'
import { foldersQuery } from './arrange.ts'
import styles from './library.module.css'
import {
  type Filters as FilterValues,
  type LibrarySearch,
  modeLabels,
  SEARCH_CHARACTERS_MAX,
  SUBJECT_CHARACTERS_MAX,
  UNFILED,
  withoutEmpty,
} from './video-list.ts'

const route = getRouteApi('/signed-in/library')
const statuses = Object.entries(statusLabels())
const modes = Object.entries(modeLabels())

/** @param props `makers`: the makers of the films that are loaded; `hasSubjects`: visitors of a customer's page have made some of them */
export function Filters({
  filters,
  makers,
  hasSubjects,
}: {
  filters: FilterValues
  makers: Maker[]
  hasSubjects: boolean
}) {
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(Boolean(filters.mode ?? filters.subject ?? filters.from ?? filters.to))
  const set = (change: LibrarySearch, how = {}) =>
    navigate({ search: (search: LibrarySearch) => withoutEmpty({ ...search, ...change }), resetScroll: false, ...how })
  return (
    <search className={styles.filters}>
      <SearchField
        label={t`Search your prompts`}
        placeholder={t`Search your prompts`}
        className={styles.search}
        charactersMax={SEARCH_CHARACTERS_MAX}
        text={filters.q ?? ''}
        onSearch={(q, { replace }) => set({ q }, { replace })}
      />
      <FolderFilter filters={filters} onChange={set} />
      <Select label={t`Status`} value={filters.status} onChange={(status) => set({ status })}>
        <option value="">{t`Every status`}</option>
        <Options entries={statuses} />
      </Select>
      <ModelFilter model={filters.model} onChange={(model) => set({ model })} />
      {chosenTeam() ? (
        <MakerFilter maker={filters.madeBy} makers={makers} onChange={(madeBy) => set({ madeBy })} />
      ) : null}
      <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t`Fewer filters` : t`More filters`}
      </Button>
      {isOpen ? (
        <div className={styles.moreFilters}>
          <Select label={t`Mode`} value={filters.mode} onChange={(mode) => set({ mode })}>
            <option value="">{t`Every mode`}</option>
            <Options entries={modes} />
          </Select>
          {hasSubjects || filters.subject !== undefined ? (
            <div className={styles.labelled}>
              <span aria-hidden="true">{t`Visitor`}</span>
              <SearchField
                label={t`Visitor`}
                placeholder={t`Id of the visitor`}
                charactersMax={SUBJECT_CHARACTERS_MAX}
                text={filters.subject ?? ''}
                onSearch={(subject, { replace }) => set({ subject }, { replace })}
              />
            </div>
          ) : null}
          <Day
            label={t({ message: 'From', context: 'a day' })}
            value={filters.from}
            onChange={(from) => set({ from })}
          />
          <Day label={t({ message: 'To', context: 'a day' })} value={filters.to} onChange={(to) => set({ to })} />
        </div>
      ) : null}
    </search>
  )
}

type SelectProps = {
  label: string
  value: string | undefined
  onChange: (value: string) => void
  children: ReactNode
}

const Select = ({ label, value, onChange, children }: SelectProps) => (
  <select
    className={`input ${styles.select}`}
    aria-label={label}
    value={value ?? ''}
    onChange={({ target }) => onChange(target.value)}
  >
    {children}
  </select>
)

const Options = ({ entries }: { entries: [string, string][] }) =>
  entries.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

function Day({ label, value = '', onChange }: Omit<SelectProps, 'children'>) {
  const { typed, setTyped, reported } = useTypedText(value)
  return (
    <label className={styles.labelled}>
      {label}
      <input
        className="input"
        type="date"
        // While a year is being typed, the browser has one of fewer digits, such as 0002: these bounds make it invalid.
        min="1000-01-01"
        max="9999-12-31"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          if (!target.validity.valid) return
          reported.current = target.value
          onChange(target.value)
        }}
        onBlur={({ target }) => target.validity.valid || setTyped(value)}
      />
    </label>
  )
}

const FAVOURITES = 'favourites'

/** Favourites, one folder, or what is in none. */
function FolderFilter({ filters, onChange }: { filters: FilterValues; onChange: (change: LibrarySearch) => void }) {
  const { data } = useQuery(foldersQuery)
  const folders = data?.folders ?? []
  const { folder, favourite } = filters
  const isUnknown = folder !== undefined && folder !== UNFILED && !folders.some(({ id }) => id === folder)
  return (
    <Select
      label={t`Folder`}
      value={folder ?? (favourite ? FAVOURITES : undefined)}
      onChange={(value) =>
        onChange(value === FAVOURITES ? { favourite: true, folder: '' } : { favourite: false, folder: value })
      }
    >
      <option value="">{t`All films`}</option>
      <option value={FAVOURITES}>{t`Favourites`}</option>
      {folders.map(({ id, name, videos }) => (
        <option key={id} value={id}>
          {t`${name} (${formatNumber(videos)})`}
        </option>
      ))}
      {isUnknown ? <option value={folder}>{t`Another folder`}</option> : null}
      {folders.length > 0 ? <option value={UNFILED}>{t`In no folder`}</option> : null}
    </Select>
  )
}

type MakerFilterProps = { maker: string | undefined; makers: Maker[]; onChange: (maker: string) => void }

/** The members of the team, and who else made films: API keys and former members. */
function MakerFilter({ maker, makers, onChange }: MakerFilterProps) {
  const { data } = useQuery(membersQuery)
  const names = new Map(data?.members.map(({ userId, name }) => [userId, name]))
  if (maker !== undefined && !names.has(maker)) names.set(maker, makerName({ name: null, kind: 'member' }))
  for (const { id, ...each } of makers) names.set(id, makerName(each))
  return (
    <Select label={t`Made by`} value={maker} onChange={onChange}>
      <option value="">{t`Every member`}</option>
      <Options entries={[...names]} />
    </Select>
  )
}

type ModelFilterProps = { model: string | undefined; onChange: (model: string) => void }

/**
 * Lists a chosen model that is no longer offered too: its videos still exist, and a link may filter by it. The select is rendered with its options:
 * options that come later leave it at the first one.
 */
function ModelFilter({ model, onChange }: ModelFilterProps) {
  const { data } = useQuery(modelsQuery)
  const names = new Map(data?.models.map(({ id, name }) => [id, name]))
  if (model !== undefined && !names.has(model)) names.set(model, model)
  return (
    <Select label={t`Model`} value={model} onChange={onChange}>
      <option value="">{t`Every model`}</option>
      <Options entries={[...names]} />
    </Select>
  )
}
