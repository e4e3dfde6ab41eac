/** Account page: name, mails, password, sessions, export and deletion of the signed-in user's account. */
import { useSignedIn } from '../shell/signed-in.ts'
import { formatDate } from '../ui/format.ts'
import { DeleteAccount } from './delete-account.tsx'
import { ExportPanel } from './export-panel.tsx'
import { NameForm } from './name-form.tsx'
import { NoticesPanel } from './notices-panel.tsx'
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
          <NoticesPanel email={user.email} isVerified={user.emailVerified} />
          <PasswordForm />
          <ExportPanel />
          <DeleteAccount email={user.email} />
        </div>
      </div>
    </div>
  )
}
