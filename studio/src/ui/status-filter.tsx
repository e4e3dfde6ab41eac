/** A select that filters a list by the status of its rows; the page keeps the status in its URL. */
import { t } from '@lingui/core/macro'

type Props = {
  /** The statuses in the sequence of the options, each with its visible text. */
  labels: Record<string, { label: string }>
  status: string | undefined
  /** @param status undefined: all */
  onChange: (status: string | undefined) => void
}

export const StatusFilter = ({ labels, status, onChange }: Props) => (
  <label>
    <span className="hidden-text">{t`Status`}</span>
    <select className="input" value={status ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">{t`Any status`}</option>
      {Object.entries(labels).map(([value, { label }]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
)
