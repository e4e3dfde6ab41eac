/** The library's filters: folder, status, model, prompt, and behind a button mode and dates; in the URL. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { modelsQuery } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { type Maker, makerName } from '../maker-name.ts'
import { membersQuery } from '../team/queries.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber, statusLabels } from '../ui/format.ts'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
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

type Props = { filters: FilterValues; makers: Maker[]; hasSubjects: boolean }

/** @param props `makers`: of the loaded films; `hasSubjects`: visitors of a customer's page made some */
export function Filters({ filters, makers, hasSubjects }: Props) {
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(Boolean(filters.mode ?? filters.subject ?? filters.from ?? filters.to))
  const set = (change: LibrarySearch, how = {}) =>
    navigate({ search: (search) => withoutEmpty({ ...search, ...change }), resetScroll: false, ...how })
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
      <Filter
        aria-label={t`Status`}
        value={filters.status}
        none={t`Every status`}
        options={statusLabels()}
        onSelect={(status) => set({ status })}
      />
      <ModelFilter model={filters.model} onChange={(model) => set({ model })} />
      {chosenTeam() ? (
        <MakerFilter maker={filters.madeBy} makers={makers} onChange={(madeBy) => set({ madeBy })} />
      ) : null}
      <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t`Fewer filters` : t`More filters`}
      </Button>
      {isOpen ? (
        <div className={styles.moreFilters}>
          <Filter
            aria-label={t`Mode`}
            value={filters.mode}
            none={t`Every mode`}
            options={modeLabels()}
            onSelect={(mode) => set({ mode })}
          />
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

const Filter = <Value extends string>(select: ComponentProps<typeof Select<Value>>) => (
  <Select className={styles.select} {...select} />
)

type DayProps = { label: string; value: string | undefined; onChange: (value: string) => void }

function Day({ label, value = '', onChange }: DayProps) {
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
    <Filter
      aria-label={t`Folder`}
      value={folder ?? (favourite ? FAVOURITES : undefined)}
      none={t`All films`}
      options={[
        [FAVOURITES, t`Favourites`],
        ...folders.map(({ id, name, videos }) => [id, t`${name} (${formatNumber(videos)})`] as const),
        ...(isUnknown ? [[folder, t`Another folder`] as const] : []),
        ...(folders.length > 0 ? [[UNFILED, t`In no folder`] as const] : []),
      ]}
      onSelect={(value) =>
        onChange(value === FAVOURITES ? { favourite: true, folder: '' } : { favourite: undefined, folder: value })
      }
    />
  )
}

type MakerFilterProps = { maker: string | undefined; makers: Maker[]; onChange: (maker: string | undefined) => void }

/** The members of the team, and who else made films: API keys and former members. */
function MakerFilter({ maker, makers, onChange }: MakerFilterProps) {
  const { data } = useQuery(membersQuery)
  const names = new Map(data?.members.map(({ userId, name }) => [userId, name]))
  if (maker !== undefined && !names.has(maker)) names.set(maker, makerName({ name: null, kind: 'member' }))
  for (const { id, ...each } of makers) names.set(id, makerName(each))
  return (
    <Filter aria-label={t`Made by`} value={maker} none={t`Every member`} options={[...names]} onSelect={onChange} />
  )
}

type ModelFilterProps = { model: string | undefined; onChange: (model: string | undefined) => void }

/**
 * Lists a chosen model that is no longer offered too: its videos still exist, and a link may filter by it. The select
 * is rendered with its options: options that come later leave it at the first one.
 */
function ModelFilter({ model, onChange }: ModelFilterProps) {
  const { data } = useQuery(modelsQuery)
  const names = new Map(data?.models.map(({ id, name }) => [id, name]))
  if (model !== undefined && !names.has(model)) names.set(model, model)
  return <Filter aria-label={t`Model`} value={model} none={t`Every model`} options={[...names]} onSelect={onChange} />
}
