/** Account page: name, password and sessions of the signed-in user. */
import { useSignedIn } from '../shell/signed-in.ts'
import { formatDate } from '../ui/format.ts'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'

export function AccountPage() {
  const { user } = useSignedIn()
  return (
    <div className="page">
      <title>Account · Kinora</title>
      <div className="page-head">
        <h1>Account</h1>
        <p className="quiet">
          {user.email}, since {formatDate(user.createdAt)}
        </p>
      </div>
      <div className="columns list-last">
        <SessionList />
        <div className="stack">
          <NameForm current={user.name} />
          <PasswordForm />
        </div>
      </div>
    </div>
  )
}
