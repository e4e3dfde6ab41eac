/** The programs that members have connected to the team by OAuth, for its owners, who can end each. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { scopeNames } from '../keys/key-limits.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { TableFrame } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatDate, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { budgetText } from './queries.ts'
import styles from './team-page.module.css'

type Program = Schemas['TeamProgram']

const programsQuery = queryOptions({
  queryKey: ['team', 'programs'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team/programs')),
})

const programName = ({ name }: { name: string }): string => name || t`A program without a name`

/** Nothing while there is none: members connect them, and not this page. */
export function Programs() {
  const { data, error, refetch } = useQuery(programsQuery)
  const [ending, setEnding] = useState<Program | null>(null)
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data || data.programs.length === 0) return null
  return (
    <>
      <h2>{t`Connected programs`}</h2>
      <TableFrame label={t`Connected programs`}>
        <thead>
          <tr>
            <th scope="col">{t`Program`}</th>
            <th scope="col">{t`Budget`}</th>
            <th scope="col" className="number">
              {t`Spent this month`}
            </th>
            <th scope="col">
              <span className="hidden-text">{t`Action`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.programs.map((program) => (
            <tr key={program.id}>
              <td className={styles.member}>
                {programName(program)}
                <span className="quiet small">{scopeNames(program.scopes)}</span>
                <span className="quiet small">
                  {t`Connected by ${program.connectedBy.name}, ${formatDate(program.createdAt)}`}
                </span>
              </td>
              <td>{budgetText(program.budget)}</td>
              <td className="number">{formatNumber(program.used.month)}</td>
              <td className="number">
                <Button
                  kind="quiet"
                  aria-label={t`Disconnect ${programName(program)} of ${program.connectedBy.name}`}
                  onClick={() => setEnding(program)}
                >
                  {t`Disconnect`}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {ending ? <EndDialog program={ending} onClose={() => setEnding(null)} /> : null}
    </>
  )
}

function EndDialog({ program, onClose }: { program: Program; onClose: () => void }) {
  const end = useSingleFlight({
    mutationFn: () => dataOf(kinora.DELETE('/api/v1/team/programs/{id}', { params: { path: { id: program.id } } })),
    onSettled: () => Promise.all([refreshQueries(['team', 'programs']), refreshQueries(['team', 'log'])]),
    onSuccess: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={t`Disconnect ${programName(program)}?`}>
      <p>{t`It acts for the team no more, within a second. ${program.connectedBy.name} may connect it again.`}</p>
      {end.error ? <ErrorState error={end.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Keep it`}</Button>
        <Button kind="danger" busy={end.isPending} onClick={() => end.mutate()}>
          {t`Disconnect`}
        </Button>
      </div>
    </Dialog>
  )
}
