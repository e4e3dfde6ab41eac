/** A film that did not come about: why, and that its credits are back. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { refundsQuery, taskQuery } from '../api.ts'
import { formatCredits } from '../ui/format.ts'
import { useInView } from './in-view.ts'
import css from './library.module.css'

export function CardFailure({ uuid }: { uuid: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...taskQuery(uuid), enabled: useInView(place) })
  return (
    <span className={css.state} ref={place}>
      <span className="mark small" data-kind="failed">
        Failed
      </span>
      <span className={`small ${css.reason}`}>{data?.error}</span>
      <Returned uuid={uuid} />
    </span>
  )
}

export function Returned({ uuid }: { uuid: string }) {
  const { data } = useQuery(refundsQuery)
  const returned = data?.[uuid]
  return (
    <span className="quiet small">
      {returned === undefined ? 'Credits returned' : `${formatCredits(returned)} returned`}
    </span>
  )
}
