/** In the place of a film that is no longer kept: that it is so, or why an administrator took it down. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export function RemovedFilm({ uuid, className }: { uuid: string; className: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['video', uuid, 'takedown'],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/video/{uuid}/takedown', { params: { path: { uuid } }, signal })),
  })
  const { takedown, objectionUrl } = data ?? {}
  if (!takedown || takedown.state === 'lifted') return <p className={className}>{t`This film is no longer kept.`}</p>
  return (
    <div className="stack">
      <p className={className}>{t`An administrator took this film down: ${takedown.reason}`}</p>
      {objectionUrl ? (
        <p>
          <a className="button" href={objectionUrl}>{t`Read the reasons, or object`}</a>
        </p>
      ) : null}
    </div>
  )
}
