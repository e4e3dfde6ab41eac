/** A select that filters a list by the status of its rows; the page keeps the status in its URL. */
import { t } from '@lingui/core/macro'
import type { StateLabel } from './mark.tsx'
import { Select } from './select.tsx'

type Props<Status extends string> = {
  className?: string | undefined
  /** The statuses in the order of the options. */
  labels: Record<Status, StateLabel>
  status: Status | undefined
  /** @param status undefined: all */
  onChange: (status: Status | undefined) => void
}

export const StatusFilter = <Status extends string>({ className, labels, status, onChange }: Props<Status>) => (
  <Select
    className={className}
    aria-label={t`Status`}
    value={status}
    none={t`Any status`}
    options={(Object.entries(labels) as [Status, StateLabel][]).map(([each, { label }]) => [each, label])}
    onSelect={onChange}
  />
)
