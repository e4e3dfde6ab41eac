/** Dialogs that change how a user signs in, for a user who cannot: address, password, sessions, second factor. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { site } from '../site.ts'
import { Check, Field, useFields } from '../ui/field.tsx'
import { refetchOwner, type UserDetail } from './queries.ts'
import { ReasonDialog } from './reason-form.tsx'

export type SignInTask = 'address' | 'password' | 'sessions' | 'second-factor'
type Props = { user: UserDetail; onClose: () => void }

export function SignInDialog({ task, ...props }: Props & { task: SignInTask }) {
  switch (task) {
    case 'address':
      return <AddressDialog {...props} />
    case 'password':
      return <PasswordDialog {...props} />
    case 'sessions':
      return <SessionsDialog {...props} />
    case 'second-factor':
      return <FactorDialog {...props} />
  }
}

const dialogOf = ({ user: { id }, onClose }: Props) => ({ refresh: () => refetchOwner(id), onClose })

function AddressDialog(props: Props) {
  const { id, email } = props.user
  const { values, text } = useFields({ email: '' })
  return (
    <ReasonDialog
      {...dialogOf(props)}
      title={t`Change the address of ${email}`}
      submitLabel={t`Change the address`}
      send={(reason) => {
        const body = { reason, email: values.email.trim() }
        return dataOf(kinora.POST('/api/v1/admin/users/{id}/desk/address', { params: { path: { id } }, body }))
      }}
      done={t`The address is changed.`}
    >
      <p>{t`The old address is told by mail. The new one gets a link that confirms it; until then it counts as not verified.`}</p>
      <Field
        label={t`New e-mail address`}
        type="email"
        maxLength={254}
        required
        autoComplete="off"
        {...text('email')}
      />
    </ReasonDialog>
  )
}

function PasswordDialog(props: Props) {
  const { id, email } = props.user
  const [isSet, setSet] = useState(false)
  const { values, text } = useFields({ password: '' })
  return (
    <ReasonDialog
      {...dialogOf(props)}
      title={t`Password of ${email}`}
      submitLabel={isSet ? t`Set the password` : t`Send the link`}
      send={(reason) => {
        const body = { reason, ...(isSet && { password: values.password }) }
        return dataOf(kinora.POST('/api/v1/admin/users/{id}/desk/password', { params: { path: { id } }, body }))
      }}
      done={
        isSet
          ? t`The password is set, and all sessions are ended.`
          : site.isMailSetUp
            ? t`A message with a new link is on its way.`
            : t`This service sends no mails: the link is on the page Mails.`
      }
    >
      <fieldset className="stack">
        <legend className="quiet small">{t`How`}</legend>
        <Check
          type="radio"
          name="how"
          label={t`Mail a link to choose one`}
          checked={!isSet}
          onChange={() => setSet(false)}
        />
        <Check
          type="radio"
          name="how"
          label={t`Set one; all sessions end`}
          checked={isSet}
          onChange={() => setSet(true)}
        />
      </fieldset>
      {isSet ? (
        <Field
          label={t`New password`}
          type="password"
          minLength={10}
          maxLength={128}
          required
          autoComplete="new-password"
          {...text('password')}
        />
      ) : null}
    </ReasonDialog>
  )
}

const SessionsDialog = (props: Props) => (
  <ReasonDialog
    {...dialogOf(props)}
    title={t`End all sessions of ${props.user.email}?`}
    submitLabel={t`End the sessions`}
    kind="danger"
    send={(reason) => {
      const request = { params: { path: { id: props.user.id } }, body: { reason } }
      return dataOf(kinora.POST('/api/v1/admin/users/{id}/desk/sessions', request))
    }}
    done={t`All sessions are ended.`}
  >
    <p>{t`The user signs in again. API keys go on.`}</p>
  </ReasonDialog>
)

function FactorDialog(props: Props) {
  const { id, email, passkeys: count } = props.user
  const { values, check } = useFields({ passkeys: false })
  return (
    <ReasonDialog
      {...dialogOf(props)}
      title={t`Remove the second factor of ${email}?`}
      submitLabel={t`Remove the second factor`}
      kind="danger"
      send={(reason) => {
        const body = { reason, passkeys: values.passkeys }
        return dataOf(kinora.POST('/api/v1/admin/users/{id}/desk/second-factor', { params: { path: { id } }, body }))
      }}
      done={t`The second factor is removed, and all sessions are ended.`}
    >
      <p>{t`The app and its recovery codes count no more, and all sessions end. Be sure that the request is the user’s: the user is told by mail.`}</p>
      {count > 0 ? <Check label={t`Remove the passkeys too`} {...check('passkeys')} /> : null}
    </ReasonDialog>
  )
}
