/** Keeps the language of this page load with the user, so that the service writes mails in it. */
import { useEffect } from 'react'
import { kinora } from '../api.ts'
import { locale } from '../i18n/locale.ts'

type Session = { user: { language: string | null }; session: { impersonatedBy: string | null } }

/** A failure changes nothing that the user sees, and the next page load tries again. */
export function useUserLanguage(current: Session | null | undefined): void {
  // An administrator's language is not the user's.
  const stored = current && !current.session.impersonatedBy ? (current.user.language ?? 'en') : locale
  useEffect(() => {
    if (stored !== locale) void kinora.POST('/api/auth/update-user', { body: { language: locale } })
  }, [stored])
}
