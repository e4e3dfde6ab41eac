/** Table of credit transactions, for their owner and for administrators. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { chosenTeam } from '../chosen-team.ts'
import { type Maker, makerName } from '../maker-name.ts'
import { useModelNames } from '../model-name.ts'
import { membersQuery } from '../team/queries.ts'
import { teamsQuery } from '../team.ts'
import { DataTable } from '../ui/data-table.tsx'
import { factsLine } from '../ui/facts-line.ts'
import { formatDateTime, formatNumber, formatSigned, formatUtcTime } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import styles from './transaction-table.module.css'
import {
  type CreditTransaction,
  isRemarkOfLabel,
  otherSideOf,
  transactionLabel,
  transactionStates,
} from './transaction-types.ts'

type Props = {
  transactions: CreditTransaction[]
  /** Members, API keys and programs, whose names the rows show. */
  makers: Maker[]
  /** false: an administrator reads another user's transactions; UTC times, films link to the administrators' page. */
  isOwn?: boolean
  /** What can be done about a row, in a last column. */
  action?: (transaction: CreditTransaction) => ReactNode
}

export function TransactionTable({ transactions, makers, isOwn = true, action }: Props) {
  const byId = new Map(makers.map((maker) => [maker.id, maker]))
  return (
    <DataTable
      label={t`Movements`}
      rows={transactions}
      columns={[
        {
          head: t`When, and number`,
          className: styles.narrow,
          cell: ({ createdAt, transNo }) => (
            <>
              <time dateTime={createdAt}>{isOwn ? formatDateTime(createdAt) : formatUtcTime(createdAt)}</time>{' '}
              <code className={styles.number}>{transNo}</code>
            </>
          ),
        },
        {
          head: t`What`,
          className: styles.narrow,
          cell: (transaction) => (
            <>
              {transactionLabel(transaction)}{' '}
              {isOwn ? null : <span className={styles.type}>{transaction.transType}</span>}
            </>
          ),
        },
        { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatSigned(credits) },
        { head: t`Available after`, isNumber: true, cell: ({ balanceAfter }) => formatNumber(balanceAfter) },
        {
          head: t`State`,
          cell: ({ state }) => (state && transactionStates[state] ? <Mark {...transactionStates[state]} /> : null),
        },
        {
          head: t`About`,
          cell: (transaction) => (
            <Reference transaction={transaction} maker={byId.get(transaction.madeBy ?? '')} isOwn={isOwn} />
          ),
        },
        action
          ? {
              head: t`Action`,
              isAction: true,
              cell: (transaction) => <div className={styles.action}>{action(transaction)}</div>,
            }
          : null,
      ]}
    />
  )
}

type ReferenceProps = { transaction: CreditTransaction; maker: Maker | undefined; isOwn: boolean }

/** The remark of a film's charge names its model by id, and its length: "delta-1-5, 4 s". */
const FILM_REMARK = /^([\w.-]+), (\d+) s$/

/** Who is on the other side of credits that were moved into a team: the team, or in its own history the member. */
function useOtherSide(id: string | null): string | null {
  const isOfTeam = chosenTeam() !== null
  const members = useQuery({ ...membersQuery, enabled: id !== null && isOfTeam })
  const teams = useQuery({ ...teamsQuery, enabled: id !== null && !isOfTeam })
  if (id === null) return null
  if (isOfTeam)
    return members.data ? (members.data.members.find(({ userId }) => userId === id)?.name ?? t`Former member`) : null
  return teams.data ? (teams.data.teams.find((team) => team.id === id)?.name ?? t`Former team`) : null
}

/** What a transaction refers to: a film (a link), its maker in a team, a move's side, an order number, a remark. */
function Reference({ transaction, maker, isOwn }: ReferenceProps) {
  const { videoUuid, prompt, orderNo, remark: rawRemark } = transaction
  const nameOf = useModelNames()
  const otherId = otherSideOf(transaction)
  const other = useOtherSide(isOwn ? otherId : null)
  const [, modelId, seconds] = (isOwn && videoUuid && FILM_REMARK.exec(rawRemark ?? '')) || []
  const ofRow = isRemarkOfLabel(transaction) ? null : rawRemark
  const remark = modelId && seconds ? factsLine(nameOf(modelId), t`${seconds} s`) : ofRow
  return (
    <span className={styles.reference}>
      {videoUuid && isOwn ? (
        <Link to="/library/$uuid" params={{ uuid: videoUuid }}>
          {prompt || t`Film`}
        </Link>
      ) : null}
      {videoUuid && !isOwn ? (
        <Link to="/admin/videos/$uuid" params={{ uuid: videoUuid }}>
          <code title={videoUuid}>{videoUuid}</code>
        </Link>
      ) : null}
      {maker ? <span className="quiet small">{makerName(maker)}</span> : null}
      {otherId && !isOwn ? (
        <Link to={transaction.credits < 0 ? '/admin/teams/$id' : '/admin/users/$id'} params={{ id: otherId }}>
          <code title={otherId}>{otherId}</code>
        </Link>
      ) : null}
      {other}
      {orderNo ? <code title={t`Order`}>{orderNo}</code> : null}
      {remark ? (
        <span className={styles.remark} title={remark}>
          {remark}
        </span>
      ) : null}
    </span>
  )
}
