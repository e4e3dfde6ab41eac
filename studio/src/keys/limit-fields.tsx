/** The fields of a new API key's limits: what it may do, and its budget. */
import { t } from '@lingui/core/macro'
import { Field } from '../ui/field.tsx'
import styles from './create-key-form.module.css'
import { type Period, periodOptions, type Scope, scopes } from './key-limits.ts'

/** `credits`: as typed; empty: no budget. */
export type Limits = { scopes: Scope[]; credits: string; period: Period }

/** Excludes the account, which few programs need. */
export const defaultLimits: Limits = { scopes: ['read', 'generate'], credits: '', period: 'month' }

export function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  const toggle = (scope: Scope) => {
    const chosen = limits.scopes.includes(scope)
      ? limits.scopes.filter((each) => each !== scope)
      : [...limits.scopes, scope]
    onChange({ ...limits, scopes: chosen })
  }
  return (
    <>
      <fieldset className={styles.scopes}>
        <legend className="field-label">{t`It may`}</legend>
        {scopes.map(({ scope, label }) => (
          <label key={scope} className={styles.scope}>
            <input type="checkbox" checked={limits.scopes.includes(scope)} onChange={() => toggle(scope)} />
            {label}
          </label>
        ))}
      </fieldset>
      <div className={styles.budget}>
        <Field
          label={t`Budget in credits`}
          type="number"
          min={1}
          max={1_000_000_000}
          step={1}
          value={limits.credits}
          onChange={({ target }) => onChange({ ...limits, credits: target.value })}
          placeholder={t`No limit`}
        />
        <label className="field">
          <span className="field-label">{t`For`}</span>
          <select
            className="input"
            value={limits.period}
            onChange={({ target }) => onChange({ ...limits, period: target.value as Period })}
          >
            {periodOptions.map(({ period, label }) => (
              <option key={period} value={period}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p className="field-hint">
        {t`Credits of films that fail come back to the budget. Days, weeks and months are those of UTC.`}
      </p>
    </>
  )
}
