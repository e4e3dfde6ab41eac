/** Finds a user by address, name or id, and chooses one of a few. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Field } from '../ui/field.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import frame from './admin.module.css'
import look from './payments-page.module.css'
import { someUsers, type User } from './queries.ts'

export function ChooseUser({ chosen, onChoose }: { chosen: User | null; onChoose: (user: User | null) => void }) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const found = useQuery(someUsers(q))
  const others = q && found.data ? found.data.users.filter(({ id }) => id !== chosen?.id) : []
  const more = q && found.data ? found.data.total - found.data.users.length : 0
  return (
    <div className="stack">
      <Field
        label="User"
        type="search"
        placeholder="E-mail address, name, or whole id"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {found.error && q ? <ErrorState error={found.error} retry={found.refetch} /> : null}
      <fieldset className={look.people}>
        <legend className="hidden-text">Users found</legend>
        {(chosen ? [chosen, ...others] : others).map((user) => (
          <label key={user.id} className={look.person}>
            <input type="radio" name="user" checked={chosen?.id === user.id} onChange={() => onChoose(user)} />
            <span>
              {user.name || user.email}
              <span className={frame.under}>
                {user.email}, {formatCredits(user.credits.available)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="quiet small" role="status">
        {q && found.data?.users.length === 0 ? 'Nobody is found.' : null}
        {more > 0 ? `${formatNumber(more)} more. Type more of the address to tell them apart.` : null}
      </p>
    </div>
  )
}
