/** Searches users by e-mail address, name or id, and selects one of the first matches. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../ui/field.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { type User, userSuggestionsQuery } from './queries.ts'
import styles from './user-picker.module.css'

export function UserPicker({ selected, onSelect }: { selected: User | null; onSelect: (user: User) => void }) {
  const [input, setInput] = useState('')
  const q = input.trim()
  const { data, error, refetch } = useQuery(userSuggestionsQuery(q))
  const matches = q && data ? data.users : []
  const unlisted = q && data ? data.total - data.users.length : 0
  const others = matches.filter(({ id }) => id !== selected?.id)
  return (
    <div className="stack">
      <Field
        label={t`User`}
        type="search"
        placeholder={t`E-mail address, name, or whole id`}
        maxLength={200}
        autoComplete="off"
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      {error && q ? <ErrorState error={error} retry={refetch} /> : null}
      <fieldset className={styles.options}>
        <legend className="hidden-text">{t`Users found`}</legend>
        {(selected ? [selected, ...others] : others).map((user) => (
          <label key={user.id} className={styles.option}>
            <input type="radio" name="user" checked={selected?.id === user.id} onChange={() => onSelect(user)} />
            <span>
              {user.name || user.email}
              <span className="secondary">
                {user.email || user.id}, {formatCredits(user.credits.available)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="quiet small" role="status">
        {q && data?.users.length === 0 ? t`No user is found.` : null}
        {unlisted > 0 ? t`${formatNumber(unlisted)} more. Type more of the address to tell them apart.` : null}
      </p>
    </div>
  )
}
