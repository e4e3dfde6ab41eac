/**
 * One bar for each day of a period, or two: the second is a part of the first, as failed films are, or its counterpart,
 * as costs are. A table below has the same figures, for those who do not see the bars or want the numbers.
 */
import { plural, t } from '@lingui/core/macro'
import styles from './day-chart.module.css'
import { formatNumber } from './format.ts'
import { TableFrame } from './table-frame.tsx'

const DAY_MS = 86_400_000

/** The figures of a day, null when unknown; `title` says them in a sentence. */
export type Day = { first: number | null; second: number | null; title: string }

type Props = {
  from: string
  to: string
  /** What the bars are. */
  first: string
  second?: string
  /** @returns undefined for a day without figures */
  dayOf: (day: string) => Day | undefined
  format: (value: number | null) => string
}

export function DayChart({ from, to, first, second, dayOf, format }: Props) {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const days = Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10)
    return { day, first: null, second: null, title: day, ...dayOf(day) }
  })
  const max = Math.max(...days.flatMap((each) => [each.first ?? 0, each.second ?? 0])) || 1
  const heightOf = (value: number | null) => `${(100 * (value ?? 0)) / max}%`
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        <span data-bar="first">{first}</span>
        {second ? <span data-bar="second">{second}</span> : null}
      </figcaption>
      <div
        className={styles.plot}
        role="img"
        aria-label={
          second
            ? t`${first} and ${second} by day, ${from} to ${to}, at most ${format(max)}`
            : t`${first} by day, ${from} to ${to}, at most ${format(max)}`
        }
      >
        <span className={styles.max}>{format(max)}</span>
        <div className={styles.bars}>
          {days.map((each) => (
            <div key={each.day} className={styles.day} title={each.title}>
              <span data-bar="first" style={{ height: heightOf(each.first) }} />
              {second ? <span data-bar="second" style={{ height: heightOf(each.second) }} /> : null}
            </div>
          ))}
        </div>
        <div className={styles.ends}>
          <span>{from}</span>
          <span>{to}</span>
        </div>
      </div>
      <DayTable days={days.filter(({ day }) => dayOf(day))} format={format} first={first} {...(second && { second })} />
    </figure>
  )
}

type FilmsOfDay = { day: string | null; films: number; failed: number }

/** The films of each day, and those that failed. */
export function FilmChart({ from, to, days }: { from: string; to: string; days: FilmsOfDay[] }) {
  const byDay = new Map(days.map((row) => [row.day, row]))
  return (
    <DayChart
      from={from}
      to={to}
      first={t`Films`}
      second={t`Failed`}
      format={(count) => formatNumber(count ?? 0)}
      dayOf={(day) => {
        const row = byDay.get(day)
        if (!row) return undefined
        const { films, failed } = row
        const title = t`${day}: ${plural(films, { one: '# film', other: '# films' })}, ${formatNumber(failed)} failed`
        return { first: films, second: failed, title }
      }}
    />
  )
}

type TableProps = Pick<Props, 'first' | 'second' | 'format'> & { days: (Day & { day: string })[] }

/** The days with figures, the latest first. */
const DayTable = ({ days, first, second, format }: TableProps) => (
  <details className={styles.table}>
    <summary>{t`As a table`}</summary>
    <TableFrame label={second ? t`${first} and ${second} by day` : t`${first} by day`}>
      <thead>
        <tr>
          <th scope="col">{t`Day (UTC)`}</th>
          <th scope="col" className="number">
            {first}
          </th>
          {second ? (
            <th scope="col" className="number">
              {second}
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((each) => (
          <tr key={each.day}>
            <th scope="row">{each.day}</th>
            <td className="number">{format(each.first)}</td>
            {second ? <td className="number">{format(each.second)}</td> : null}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  </details>
)
