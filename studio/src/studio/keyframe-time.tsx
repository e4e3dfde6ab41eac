/** The time of a keyframe in the film, in seconds. */
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { isNumber, useRefusal } from '../ui/field.tsx'
import { useTypedText } from '../ui/typed-text.ts'
import styles from './input-fields.module.css'

export function KeyframeTime({ at, fitted, onChange }: { at: number; fitted: number; onChange: (at: number) => void }) {
  const { typed, setTyped, reported } = useTypedText(String(at))
  const isTime = (text: string) => isNumber(text, { min: 0, max: Number.MAX_SAFE_INTEGER, isInteger: false })
  const problem = isTime(typed) ? null : t`Write its time in seconds, such as 2.5.`
  const id = useId()
  return (
    <>
      <label className={styles.time}>
        <span className="hidden-text">{t`Its time in seconds`}</span>
        <input
          {...useRefusal(problem)}
          className="input"
          inputMode="decimal"
          autoComplete="off"
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : id}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            if (!isTime(target.value)) return
            reported.current = String(Number(target.value))
            onChange(Number(target.value))
          }}
          onBlur={() => problem === null && setTyped(String(fitted))}
        />
        <span aria-hidden="true">{t`s`}</span>
      </label>
      {problem === null ? null : (
        <p className={`field-error ${styles.below}`} id={id}>
          {problem}
        </p>
      )}
    </>
  )
}
