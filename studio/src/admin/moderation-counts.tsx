/** What moderation has decided in the last month: a row for each day with requests. Counts alone; prompts are stored nowhere. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import styles from './providers-page.module.css'
import { moderationQuery } from './queries.ts'

/** Nothing while moderation is off and has decided nothing in this time. */
export function ModerationCounts() {
  const { data, error, refetch } = useQuery(moderationQuery)
  if (error) return <ErrorState error={error} retry={refetch} />
  if (!data || (!data.enabled && data.days.length === 0)) return null
  return (
    <section className={styles.moderation} aria-labelledby="moderation">
      <h2 id="moderation">{t`Moderation`}</h2>
      <p className="quiet">
        {data.enabled
          ? data.fail === 'closed'
            ? t`A request without a verdict is refused.`
            : t`The film of a request without a verdict is made.`
          : t`Moderation is off.`}
      </p>
      {data.days.length === 0 ? (
        <p>{t`No request in the last 30 days.`}</p>
      ) : (
        <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
          <TableFrame label={t`Requests by what moderation decided`}>
            <thead>
              <tr>
                <th scope="col">{t`Day (UTC)`}</th>
                <th scope="col" className="number">{t`Allowed`}</th>
                <th scope="col" className="number">{t`Refused`}</th>
                <th scope="col" className="number">{t`Without a verdict`}</th>
                <th scope="col">{t`Refused for`}</th>
              </tr>
            </thead>
            <tbody>
              {data.days.map(({ day, allowed, refused, failed, categories }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td className="number">{formatNumber(allowed)}</td>
                  <td className="number">{formatNumber(refused)}</td>
                  <td className="number">{formatNumber(failed)}</td>
                  <td lang="en">
                    {categories.map(({ category, requests }) => `${category} ${formatNumber(requests)}`).join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        </div>
      )}
    </section>
  )
}
