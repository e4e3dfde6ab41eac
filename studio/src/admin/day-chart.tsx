/** Two bars for each day of a period, the first of them one that the second is a part or a counterpart of. */
import styles from './day-chart.module.css'

const DAY_MS = 86_400_000

/** Its figures, and what they are as a sentence. */
export type Day = { first: number; second: number; title: string }

type Props = {
  from: string
  to: string
  /** What the bars are. */
  first: string
  second: string
  dayOf: (day: string) => Day
  format: (value: number) => string
}

export function DayChart({ from, to, first, second, dayOf, format }: Props) {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const days = Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10)
    return { day, ...dayOf(day) }
  })
  const max = Math.max(...days.flatMap((each) => [each.first, each.second])) || 1
  const heightOf = (value: number) => `${(100 * value) / max}%`
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        <span data-bar="first">{first}</span>
        <span data-bar="second">{second}</span>
      </figcaption>
      <div className={styles.plot} role="img" aria-label={days.map(({ title }) => title).join('; ')}>
        <span className={styles.max}>{format(max)}</span>
        <div className={styles.bars}>
          {days.map((each) => (
            <div key={each.day} className={styles.day} title={each.title}>
              <span data-bar="first" style={{ height: heightOf(each.first) }} />
              <span data-bar="second" style={{ height: heightOf(each.second) }} />
            </div>
          ))}
        </div>
        <div className={styles.ends}>
          <span>{from}</span>
          <span>{to}</span>
        </div>
      </div>
    </figure>
  )
}
