/** A film that did not come about: why, and that its credits are back. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { refunds, task } from '../api.ts'
import { credits } from '../ui/format.ts'
import css from './library.module.css'
import { useSeen } from './seen.ts'

export function Failed({ uuid }: { uuid: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...task(uuid), enabled: useSeen(place) })
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
  const { data } = useQuery(refunds)
  const returned = data?.[uuid]
  return (
    <span className="quiet small">{returned === undefined ? 'Credits returned' : `${credits(returned)} returned`}</span>
  )
}
