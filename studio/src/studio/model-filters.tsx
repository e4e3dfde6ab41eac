/** What the sheet of models is narrowed by: words, what a model takes and gives, its company, sizes and lengths. */
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import '../ui/field.css'
import { Select } from '../ui/select.tsx'
import { linesOf } from '../video/quality.ts'
import type { Model } from './form-fields.ts'
import styles from './model-sheet.module.css'
import { sizesOf, TRAITS, type Trait, traitLabels, traitsOf } from './model-traits.ts'

export type ModelFilter = {
  text: string
  traits: Trait[]
  favourites: boolean
  company?: string | undefined
  /** This size, or a larger one. */
  size?: string | undefined
  /** This length, or a longer one. */
  seconds?: string | undefined
}
export const noFilter: ModelFilter = { text: '', traits: [], favourites: false }

export function isFound(model: Model, filter: ModelFilter, favourites: string[]): boolean {
  const { id, name, provider, resolutions, maxDuration } = model
  const has = filter.traits.length > 0 ? traitsOf(model) : []
  const { size, seconds, company } = filter
  return (
    `${name} ${provider}`.toLowerCase().includes(filter.text.trim().toLowerCase()) &&
    filter.traits.every((trait) => has.includes(trait)) &&
    (!filter.favourites || favourites.includes(id)) &&
    (company === undefined || provider === company) &&
    (size === undefined || resolutions.some((each) => linesOf(each) >= linesOf(size))) &&
    (seconds === undefined || maxDuration >= Number(seconds))
  )
}

const LENGTHS = ['6', '8', '10', '15', '20'] as const

type Props = {
  models: Model[]
  filter: ModelFilter
  onChange: (filter: ModelFilter) => void
  children: ReactNode
}

export function Filters({ models, filter, onChange, children }: Props) {
  const companies = [...new Set(models.map(({ provider }) => provider))].sort()
  const sizes = sizesOf({ resolutions: [...new Set(models.flatMap(({ resolutions }) => resolutions))] })
  const longest = Math.max(...models.map(({ maxDuration }) => maxDuration))
  const change = (part: Partial<ModelFilter>) => onChange({ ...filter, ...part })
  return (
    <div className={styles.tools}>
      <div className={styles.line}>
        <input
          type="search"
          className={`input ${styles.search}`}
          aria-label={t`Search models`}
          placeholder={t`Search models`}
          value={filter.text}
          onChange={({ target }) => change({ text: target.value })}
        />
        {children}
      </div>
      <fieldset className={styles.filters}>
        <legend className="hidden-text">{t`Filters`}</legend>
        <Chip isOn={filter.favourites} onToggle={() => change({ favourites: !filter.favourites })}>
          {t`Favourites`}
        </Chip>
        {TRAITS.map((trait) => (
          <Chip
            key={trait}
            isOn={filter.traits.includes(trait)}
            onToggle={() =>
              change({
                traits: filter.traits.includes(trait)
                  ? filter.traits.filter((each) => each !== trait)
                  : [...filter.traits, trait],
              })
            }
          >
            {traitLabels[trait]}
          </Chip>
        ))}
        <Select
          className={styles.select}
          aria-label={t`Company`}
          none={t`All companies`}
          value={filter.company}
          options={companies.map((company) => [company, company] as const)}
          onSelect={(company) => change({ company })}
        />
        <Select
          className={styles.select}
          aria-label={t`Size`}
          none={t`Any size`}
          value={filter.size}
          options={sizes.map((size) => [size, t`from ${size}`] as const)}
          onSelect={(size) => change({ size })}
        />
        <Select
          className={styles.select}
          aria-label={t`Length`}
          none={t`Any length`}
          value={filter.seconds}
          options={LENGTHS.filter((seconds) => Number(seconds) <= longest).map(
            (seconds) => [seconds, t`${seconds} s and longer`] as const,
          )}
          onSelect={(seconds) => change({ seconds })}
        />
      </fieldset>
    </div>
  )
}

const Chip = ({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children: ReactNode }) => (
  <Button className={styles.chip} aria-pressed={isOn} onClick={onToggle}>
    {children}
  </Button>
)
