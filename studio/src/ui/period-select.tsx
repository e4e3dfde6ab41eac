/** A select for a period that ends today; the page keeps the number of its days in its URL. */
import { plural, t } from '@lingui/core/macro'

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
  className: string | undefined
  /** Undefined: all time, where that is a choice, else the default. */
  days: Days | undefined
  allTime?: boolean
  onChange: (days: Days | undefined) => void
}

export const PeriodSelect = ({ className, days, allTime = false, onChange }: Props) => (
  <select
    className={`input ${className ?? ''}`}
    aria-label={t`Period`}
    value={days ?? (allTime ? '' : DEFAULT_DAYS)}
    onChange={({ target }) => onChange(daysParam(target.value))}
  >
    {allTime ? <option value="">{t`All time`}</option> : null}
    {PERIODS_DAYS.map((each) => (
      <option key={each} value={each}>
        {each === 1 ? t`Today (UTC)` : plural(each, { other: 'Last # days' })}
      </option>
    ))}
  </select>
)
