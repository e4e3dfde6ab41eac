/** The search of the users. */
import { useNavigate } from '@tanstack/react-router'
import { SearchField } from '../ui/search-field.tsx'

export function Search({ q }: { q: string }) {
  const navigate = useNavigate({ from: '/admin/users' })
  return (
    <search>
      <SearchField
        label="Search users"
        placeholder="E-mail address, name, or whole id"
        charactersMax={200}
        text={q}
        onSearch={(text, { replace }) => navigate({ search: text ? { q: text } : {}, replace, resetScroll: false })}
      />
    </search>
  )
}
