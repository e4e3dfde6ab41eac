/** What the films of each day have earned, and what they cost, as bars; a screen reader reads the table of days instead. */
import { t } from '@lingui/core/macro'
import { type Costs, formatUsd } from './cost-queries.ts'
import styles from './costs-page.module.css'

const DAY_MS = 86_400_000

export function CostChart({ rows, from, to }: { rows: Costs[]; from: string; to: string }) {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const days = Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10),
  )
  const max = Math.max(...rows.flatMap(({ earnedUsd, costUsd }) => [earnedUsd ?? 0, costUsd ?? 0])) || 1
  const heightOf = (usd: number | null | undefined) => `${(100 * (usd ?? 0)) / max}%`
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        <span data-bar="earned">{t`Earned`}</span>
        <span data-bar="cost">{t`Cost, as far as known`}</span>
      </figcaption>
      <div className={styles.plot} aria-hidden="true">
        <span className={styles.max}>{formatUsd(max)}</span>
        <div className={styles.bars}>
          {days.map((day) => {
            const row = byDay.get(day)
            return (
              <div key={day} className={styles.day} title={row ? titleOf(day, row) : t`${day}: no film`}>
                <span data-bar="earned" style={{ height: heightOf(row?.earnedUsd) }} />
                <span data-bar="cost" style={{ height: heightOf(row?.costUsd) }} />
              </div>
            )
          })}
        </div>
        <div className={styles.ends}>
          <span>{from}</span>
          <span>{to}</span>
        </div>
      </div>
    </figure>
  )
}

const titleOf = (day: string, { earnedUsd, costUsd, marginUsd }: Costs): string =>
  t`${day}: earned ${formatUsd(earnedUsd)}, cost ${formatUsd(costUsd)}, margin ${formatUsd(marginUsd)}`
