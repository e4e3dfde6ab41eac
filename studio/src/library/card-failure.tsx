/** The face of the card of a failed or cancelled video: the reason, and that its credits were refunded. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { taskQuery } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { useInView } from './in-view.ts'
import styles from './library.module.css'

export function CardFailure({ uuid }: { uuid: string }) {
  const root = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...taskQuery(uuid), enabled: useInView(root) })
  return (
    <span className={styles.overlay} ref={root}>
      {data ? (
        <span className="small">
          <StatusBadge status="FAILED" failure={data.failure} />
        </span>
      ) : null}
      <span className={`small ${styles.reason}`}>{data?.error ? failureText(data.error) : null}</span>
      <RefundNote uuid={uuid} />
    </span>
  )
}
