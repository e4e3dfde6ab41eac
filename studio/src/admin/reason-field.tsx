/** The reason of an administrator's change, which the audit log keeps. */
import { t } from '@lingui/core/macro'
import { Field } from '../ui/field.tsx'

/** @param props `hint`: where the reason is shown, when not in the audit alone */
export const ReasonField = (props: { value: string; onChange: (reason: string) => void; hint?: string }) => (
  <Field
    label={t`Reason`}
    hint={props.hint ?? t`Kept in the audit.`}
    maxLength={500}
    required
    autoComplete="off"
    value={props.value}
    onChange={({ target }) => props.onChange(target.value)}
  />
)
