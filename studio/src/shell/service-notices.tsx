/** What the operator tells all users now: a banner on every page. Loaded after the page. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { locale } from '../i18n/locale.ts'
import { formatDateTime } from '../ui/format.ts'
import styles from './service-notices.module.css'

const REFETCH_MS = 60_000

export function ServiceNotices() {
  const { data } = useQuery({
    queryKey: ['service-notices'],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/config/notices', { signal })),
    refetchInterval: REFETCH_MS,
  })
  if (!data || data.notices.length === 0) return null
  return (
    <aside className={styles.notices} aria-label={t`Notices of the service`}>
      {data.notices.map(({ id, textEn, textZh, pauses, startsAt, endsAt }) => (
        <p key={id} role="status">
          {locale === 'en' ? textEn : textZh}
          {pauses
            ? ` ${t`From ${formatDateTime(startsAt)} until ${formatDateTime(endsAt)} no new films and uploads are taken; films in progress go on.`}`
            : null}
        </p>
      ))}
    </aside>
  )
}
