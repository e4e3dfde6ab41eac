/** Account page: name, mails, sign-in methods, sessions, export and deletion of the signed-in user's account. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useSignedIn } from '../shell/signed-in.ts'
import { AcceptInvitation } from '../team/accept-invitation.tsx'
import { formatDate } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import styles from './account-page.module.css'
import { DeleteAccount } from './delete-account.tsx'
import { ExportPanel } from './export-panel.tsx'
import { FilmNoticesPanel } from './film-notices-panel.tsx'
import { LanguagePanel } from './language-panel.tsx'
import { NameForm } from './name-form.tsx'
import { NoticesPanel } from './notices-panel.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProgramsPanel } from './programs-panel.tsx'
import { accountsQuery } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

export function AccountPage() {
  const { user } = useSignedIn()
  const hasPassword = useQuery(accountsQuery).data?.some(({ providerId }) => providerId === 'credential') ?? true
  return (
    <div className="page">
      <PageTitle of={[t`Account`]} />
      <div className="page-head">
        <h1>{t`Account`}</h1>
        <p className="quiet">{t`${user.email}, since ${formatDate(user.createdAt)}`}</p>
      </div>
      <AcceptInvitation />
      <Section title={t`Profile`}>
        <NameForm current={user.name} />
        <LanguagePanel />
        <FilmNoticesPanel />
        <NoticesPanel email={user.email} isVerified={user.emailVerified} />
      </Section>
      <Section title={t`Security`}>
        <SignInMethods />
        <SecondFactor />
        {hasPassword ? <PasswordForm /> : null}
        <SessionList />
        <ProgramsPanel />
      </Section>
      <Section title={t`Data`}>
        <ExportPanel />
        <DeleteAccount email={user.email} hasPassword={hasPassword} />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className={styles.panels}>{children}</div>
    </section>
  )
}
