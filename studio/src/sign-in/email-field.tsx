/** The e-mail address by which a user signs in; password managers know it as the user name. */
import { t } from '@lingui/core/macro'
import { Field } from '../ui/field.tsx'

export const EmailField = ({ error, autoFocus = false }: { error: string | undefined; autoFocus?: boolean }) => (
  <Field
    label={t`E-mail`}
    name="email"
    type="email"
    autoComplete="username"
    autoFocus={autoFocus}
    required
    error={error}
  />
)
