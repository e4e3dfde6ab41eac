/** The search field of the videos' pages: a uuid opens its video, any other text finds ended videos by their error. */
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { optionalParams, uuidParam } from '../search-params.ts'
import { SearchField } from '../ui/search-field.tsx'

export function VideoSearch({ q }: { q: string }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  return (
    <search>
      <SearchField
        label={t`Search films`}
        placeholder={t`Uuid, text or code of the error, provider’s task id`}
        charactersMax={200}
        text={q}
        onSearch={(text, { replace }) => {
          const uuid = uuidParam(text)
          if (uuid) return navigate({ to: '/admin/videos/$uuid', params: { uuid } })
          return navigate({
            search: (previous) =>
              optionalParams({ ...previous, ...(text ? { state: 'ended', q: text } : { q: undefined }) }),
            replace,
            resetScroll: false,
          })
        }}
      />
    </search>
  )
}
