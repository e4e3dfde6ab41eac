/** Credits: what there is, how it came to be, what expires when, every movement, and the proof that they add up. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { balance } from '../api.ts'
import { buttonClass } from '../ui/button.tsx'
import { BooksCheck } from './books-check.tsx'
import { Chart } from './chart.tsx'
import { Expiring } from './expiring.tsx'
import { History } from './history.tsx'
import { Quantities } from './quantities.tsx'

export function Credits() {
  const { data } = useQuery(balance)
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
