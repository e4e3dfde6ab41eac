/** What the operator tells all users now: a banner on every page. Loaded once there is something. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { locale } from '../i18n/locale.ts'
import { formatDateTime } from '../ui/format.ts'
import styles from './service-notices.module.css'

export const ServiceNotices = ({ notices }: { notices: Schemas['ServiceNotice'][] }) => (
  <aside className={styles.notices} aria-label={t`Notices of the service`}>
    {notices.map(({ id, textEn, textZh, pauses, startsAt, endsAt }) => (
      <p key={id} role="status">
        {locale === 'en' ? textEn : textZh}
        {pauses
          ? ` ${t`From ${formatDateTime(startsAt)} until ${formatDateTime(endsAt)} no new films and uploads are taken; films in progress go on.`}`
          : null}
      </p>
    ))}
  </aside>
)
