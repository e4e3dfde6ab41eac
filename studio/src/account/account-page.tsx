/** Who one is here: the name, the password, and where one is signed in. */

import { useSignedIn } from '../shell/signed-in.ts'
import { formatDate } from '../ui/format.ts'
import { Name } from './name-form.tsx'
import { Password } from './password-form.tsx'
import { Sessions } from './session-list.tsx'

export function Account() {
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
        <Sessions />
        <div className="stack">
          <Name current={user.name} />
          <Password />
        </div>
      </div>
    </div>
  )
}
