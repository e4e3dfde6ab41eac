/**
 * A select for a period of whole days; the page keeps it in its URL: `30`, the last days; `2026-10`, a calendar month;
 * `2026-Q4`, a quarter; `2026-10-03_2026-10-19`, any days. Days are those of the operator's time zone.
 */
import { plural, t } from '@lingui/core/macro'
import { locale } from '../i18n/locale.ts'
import { site } from '../site.ts'
import styles from './period-select.module.css'
import { Select } from './select.tsx'

export const PERIODS_DAYS = [1, 7, 30, 90, 365] as const
export type Days = string
export const DEFAULT_DAYS: Days = '30'
const MONTHS = 12
const QUARTERS = 5

const DAY_MS = 86_400_000
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/
const QUARTER = /^(\d{4})-Q([1-4])$/
const RANGE = /^(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/

/** "30" in an address is read as a number. @returns undefined for what is no period */
export function daysParam(value: unknown): Days | undefined {
  const text = String(value)
  if (PERIODS_DAYS.some((each) => String(each) === text) || MONTH.test(text) || QUARTER.test(text)) return text
  const [, from = '', to = ''] = RANGE.exec(text) ?? []
  return Date.parse(from) <= Date.parse(to) ? text : undefined
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const today = (): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: site.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format()

/** The days from the first of a month to the last of a later one. */
const monthsFrom = (year: number, month: number, count: number) => ({
  from: dayText(Date.UTC(year, month - 1, 1)),
  to: dayText(Date.UTC(year, month - 1 + count, 0)),
})

/** The first and the last day of a period, as the API takes them. */
export function rangeOf(days: Days): { from: string; to?: string } {
  const [, monthYear, month] = MONTH.exec(days) ?? []
  if (monthYear) return monthsFrom(Number(monthYear), Number(month), 1)
  const [, year, quarter] = QUARTER.exec(days) ?? []
  if (year) return monthsFrom(Number(year), Number(quarter) * 3 - 2, 3)
  const [, from, to = ''] = RANGE.exec(days) ?? []
  if (from) return { from, to }
  return { from: dayText(Date.parse(today()) - (Number(days) - 1) * DAY_MS) }
}

/** The calendar months, or quarters, up to now, the latest first. */
function calendar(unit: 'month' | 'quarter'): [Days, string][] {
  const [year = 0, month = 1] = today().split('-').map(Number)
  const monthName = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return Array.from({ length: unit === 'month' ? MONTHS : QUARTERS }, (_, n) => {
    if (unit === 'month') {
      const first = new Date(Date.UTC(year, month - 1 - n, 1))
      return [first.toISOString().slice(0, 7), monthName.format(first)]
    }
    const first = new Date(Date.UTC(year, (Math.ceil(month / 3) - 1 - n) * 3, 1))
    const [quarter, ofYear] = [String(first.getUTCMonth() / 3 + 1), String(first.getUTCFullYear())]
    return [`${ofYear}-Q${quarter}`, t`Quarter ${quarter} of ${ofYear}`]
  })
}

type Props = {
  className?: string | undefined
  /** Undefined: all time, where that is a choice, else the default. */
  days: Days | undefined
  allTime?: boolean
  onChange: (days: Days | undefined) => void
}

export function PeriodSelect({ className, days, allTime = false, onChange }: Props) {
  const chosen = days ?? (allTime ? '' : DEFAULT_DAYS)
  const isRange = RANGE.test(chosen)
  const { from, to = today() } = rangeOf(chosen || DEFAULT_DAYS)
  const known = [
    ...PERIODS_DAYS.map((each): [Days, string] => [
      String(each),
      each === 1 ? t`Today (${site.timeZone})` : plural(each, { other: 'Last # days' }),
    ]),
    ...calendar('month'),
    ...calendar('quarter'),
  ]
  const isOther = chosen !== '' && !isRange && known.every(([each]) => each !== chosen)
  const select = (
    <Select
      className={className}
      aria-label={t`Period`}
      value={isRange ? OWN : chosen}
      none={allTime ? t`All time` : undefined}
      options={[...known, ...(isOther ? [[chosen, chosen] as const] : []), [OWN, t`Any days…`]]}
      onSelect={(value) => onChange(value === OWN ? `${from}_${to}` : daysParam(value))}
    />
  )
  if (!isRange) return select
  const input = (label: string, value: string, rangeWith: (day: string) => string) => (
    <input
      className="input"
      type="date"
      aria-label={label}
      value={value}
      required
      onChange={({ target }) => {
        const next = daysParam(rangeWith(target.value))
        if (next) onChange(next)
      }}
    />
  )
  return (
    <div className={styles.range}>
      {select}
      {input(t`First day`, from, (day) => [day, to].toSorted().join('_'))}
      {input(t`Last day`, to, (day) => [from, day].toSorted().join('_'))}
    </div>
  )
}
const OWN = 'own'
