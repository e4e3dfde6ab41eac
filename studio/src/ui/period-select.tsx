/** A select for a period that ends today; the page keeps the number of its days in its URL. */
import { plural, t } from '@lingui/core/macro'
import { Select } from './select.tsx'

export const PERIODS_DAYS = [1, 7, 30, 90, 365] as const
export type Days = (typeof PERIODS_DAYS)[number]
export const DEFAULT_DAYS: Days = 30

/** "30" in an address is read as a number. @returns undefined for what is no period */
export const daysParam = (value: unknown): Days | undefined =>
  PERIODS_DAYS.find((each) => String(each) === String(value))

/** The first of the last days, today included. */
export const firstDay = (days: number): string =>
  new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)

type Props = {
  className?: string | undefined
  /** Undefined: all time, where that is a choice, else the default. */
  days: Days | undefined
  allTime?: boolean
  onChange: (days: Days | undefined) => void
}

export const PeriodSelect = ({ className, days, allTime = false, onChange }: Props) => (
  <Select
    className={className}
    aria-label={t`Period`}
    value={String(days ?? (allTime ? '' : DEFAULT_DAYS))}
    none={allTime ? t`All time` : undefined}
    options={PERIODS_DAYS.map((each) => [
      String(each),
      each === 1 ? t`Today (UTC)` : plural(each, { other: 'Last # days' }),
    ])}
    onSelect={(value) => onChange(daysParam(value))}
  />
)
