/** The user's present password, for a change that a session alone does not allow. */
import { t } from '@lingui/core/macro'
import { Field } from './field.tsx'

type Props = {
  value: string
  onChange: (password: string) => void
  error: string | undefined
}

export const CurrentPasswordField = ({ onChange, ...props }: Props) => (
  <Field
    label={t`Password`}
    type="password"
    autoComplete="current-password"
    required
    maxLength={128}
    onChange={({ target }) => onChange(target.value)}
    {...props}
  />
)
