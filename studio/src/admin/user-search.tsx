/** The search field of the user list; it keeps the query in the URL (`?q=`). */
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { SearchField } from '../ui/search-field.tsx'

export function UserSearch({ q }: { q: string }) {
  const navigate = useNavigate({ from: '/admin/users' })
  return (
    <search>
      <SearchField
        label={t`Search users`}
        placeholder={t`E-mail address, name, or whole id`}
        charactersMax={200}
        text={q}
        onSearch={(text, { replace }) => navigate({ search: text ? { q: text } : {}, replace, resetScroll: false })}
      />
    </search>
  )
}
