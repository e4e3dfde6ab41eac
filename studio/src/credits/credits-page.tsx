/** Credits: what there is, how it came to be, what expires when, every movement, and the proof that they add up. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { balanceQuery } from '../api.ts'
import { buttonClass } from '../ui/button.tsx'
import { Chart } from './balance-chart.tsx'
import { Quantities } from './balance-summary.tsx'
import { Expiring } from './expiring-packages.tsx'
import { BooksCheck } from './ledger-check-panel.tsx'
import { History } from './transaction-history.tsx'

export function Credits() {
  const { data } = useQuery(balanceQuery)
  return (
    <div className="page">
      <title>Credits · Kinora</title>
      <div className="page-head">
        <h1>Credits</h1>
        <Link to="/plans" className={buttonClass(data?.available === 0 ? 'primary' : 'plain')}>
          Get credits
        </Link>
      </div>
      <Quantities />
      <div className="columns">
        <Chart />
        <Expiring />
      </div>
      <BooksCheck />
      <History />
    </div>
  )
}
