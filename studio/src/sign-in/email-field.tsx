/** The e-mail address by which a user signs in; password managers know it as the user name. */
import { t } from '@lingui/core/macro'
import { Field } from '../ui/field.tsx'

type Props = { error: string | undefined; autoFocus?: boolean; defaultValue?: string | undefined }

export const EmailField = ({ error, autoFocus = false, defaultValue }: Props) => (
  <Field
    label={t`E-mail`}
    name="email"
    type="email"
    autoComplete="username"
    autoFocus={autoFocus}
    defaultValue={defaultValue}
    required
    error={error}
  />
)
