/** Account page: name, mails, sign-in methods, sessions, export and deletion of the signed-in user's account. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { dataOf, endSession, kinora, queryClient, replaceSession, sessionQuery } from '../api.ts'
import { LanguageSelect } from '../i18n/language-select.tsx'
import { playSound } from '../shell/film-notice.tsx'
import {
  areNotificationsOn,
  hasNotifications,
  isNoticeOn,
  type NoticeSetting,
  setNotice,
} from '../shell/notice-settings.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { PASSWORD_HINT } from '../sign-in/auth-form.tsx'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { AcceptInvitation } from '../team/accept-invitation.tsx'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, Field, useFields } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './account-page.module.css'
import { DeletionForm } from './deletion-form.tsx'
import { NoticesPanel } from './notices-panel.tsx'
import { accountsQuery } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'
import { SignInMethods } from './sign-in-methods.tsx'
import '../ui/field.css'

export function AccountPage() {
  const { user } = useSignedIn()
  const hasPassword = useQuery(accountsQuery).data?.some(({ providerId }) => providerId === 'credential') ?? true
  return (
    <Page title={t`Account`} aside={<p className="quiet">{t`${user.email}, since ${formatDate(user.createdAt)}`}</p>}>
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
    </Page>
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

/** Form that changes the user's name. */
function NameForm({ current }: { current: string }) {
  const router = useRouter()
  const { values, text } = useFields({ name: current })
  const name = values.name.trim()
  const rename = useAction({
    send: () => dataOf(kinora.POST('/api/auth/update-user', { body: { name } })),
    refresh: async () => {
      await queryClient.refetchQueries(sessionQuery)
      await router.invalidate()
    },
    done: t`Your name is changed.`,
  })
  return (
    <ActionForm
      action={rename}
      onSubmit={() => rename.mutate()}
      submitLabel={t`Save name`}
      kind="plain"
      isReady={name !== '' && name !== current}
    >
      <h3>{t`Name`}</h3>
      <Field label={t`Name`} required maxLength={100} autoComplete="name" {...text('name')} />
    </ActionForm>
  )
}

/** The language of the studio in this browser. */
const LanguagePanel = () => (
  <section className="panel" aria-labelledby="language">
    <h3 id="language">{t`Language`}</h3>
    <div className="field">
      <LanguageSelect />
      <p className="field-hint">{t`In this browser. Mails are in the language in which you used the studio last; the API is English.`}</p>
    </div>
  </section>
)

/**
 * How this browser reports that a film has ended. The browser is asked for its permission by the click, never before.
 */
function FilmNoticesPanel() {
  const [isNotified, setNotified] = useState(areNotificationsOn)
  const [hasSound, setSound] = useState(() => isNoticeOn('sound'))
  const [refusal, setRefusal] = useState<string | null>(null)
  const save = (setting: NoticeSetting, isOn: boolean) => {
    setNotice(setting, isOn)
    ;(setting === 'sound' ? setSound : setNotified)(isOn)
  }
  const askForNotifications = async () => {
    setRefusal(null)
    const problem = await refusalOf()
    setRefusal(problem)
    save('notification', problem === null)
  }
  return (
    <section className="panel" aria-labelledby="film-notices">
      <h3 id="film-notices">{t`When a film ends`}</h3>
      <p className="quiet">{t`A message appears on every page that does not show the film. In this browser you can also have:`}</p>
      {hasNotifications() ? (
        <Check
          label={t`Notifications while you look elsewhere`}
          checked={isNotified}
          onChange={({ target }) => (target.checked ? void askForNotifications() : save('notification', false))}
        />
      ) : null}
      {refusal === null ? null : (
        <p role="alert" className="small">
          {refusal}
        </p>
      )}
      <Check
        label={t`A short sound`}
        checked={hasSound}
        onChange={({ target }) => {
          save('sound', target.checked)
          if (target.checked) playSound()
        }}
      />
    </section>
  )
}

/** Asks for permission, and shows a first notification, which some browsers refuse. @returns null: granted */
async function refusalOf(): Promise<string | null> {
  if ((await Notification.requestPermission()) !== 'granted')
    return t`This browser blocks notifications of this site. Its settings for the site allow them.`
  try {
    new Notification(t`Notifications are on`, { body: t`Like this you learn that a film has ended.`, silent: true })
    return null
  } catch {
    return t`This browser shows no notifications of pages.`
  }
}

/**
 * Form that changes the password and revokes all other sessions, in case the old password was known to another person.
 */
function PasswordForm() {
  const { values, text, reset } = useFields({ currentPassword: '', newPassword: '' })
  const change = useAction({
    send: () =>
      replaceSession(() =>
        dataOf(kinora.POST('/api/auth/change-password', { body: { ...values, revokeOtherSessions: true } })),
      ),
    refresh: () => {
      reset()
      return queryClient.invalidateQueries({ queryKey: ['session'] })
    },
    done: t`Your password is changed, and you are signed out everywhere else.`,
  })
  const isCurrentWrong = change.error?.code === 'INVALID_PASSWORD'
  const isNewRefused = change.error?.code?.startsWith('PASSWORD_') ?? false
  return (
    <ActionForm
      action={change}
      onSubmit={() => change.mutate()}
      submitLabel={t`Change password`}
      kind="plain"
      error={isCurrentWrong || isNewRefused ? null : change.error}
    >
      <h3>{t`Password`}</h3>
      <Field
        label={t`Current password`}
        type="password"
        required
        autoComplete="current-password"
        error={isCurrentWrong ? change.error?.message : undefined}
        {...text('currentPassword')}
      />
      <Field
        label={t`New password`}
        type="password"
        required
        minLength={10}
        maxLength={128}
        autoComplete="new-password"
        hint={PASSWORD_HINT}
        error={isNewRefused ? change.error?.message : undefined}
        {...text('newPassword')}
      />
    </ActionForm>
  )
}

/** Leads to the programs that the user has connected by OAuth, which the service renders. */
function ProgramsPanel() {
  return (
    <section className="panel" aria-labelledby="programs">
      <h3 id="programs">{t`Connected programs`}</h3>
      <p className="quiet">{t`What each may do and spend, and for whom, until you disconnect it.`}</p>
      <a className="button" href="/oauth/apps">
        {t`See connected programs`}
      </a>
    </section>
  )
}

/** Download of everything that the service stores about the user. */
function ExportPanel() {
  return (
    <section className="panel" aria-labelledby="export">
      <h3 id="export">{t`Your data`}</h3>
      <p className="quiet">
        {t`A ZIP file with your profile, prompts, credits and payments as JSON, and your films and images.`}
      </p>
      {/* A link and not a request of the page: the browser writes the download to disk as it arrives. */}
      <a className="button" href="/api/v1/account/export" download>
        {t`Download your data`}
      </a>
    </section>
  )
}

/** Deletes the account, which cannot be undone: confirmed by the typed e-mail address and the password. */
function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="panel" aria-labelledby="delete-account">
      <h3 id="delete-account">{t`Leave ${site.name}`}</h3>
      <p className="quiet">{t`Your films, images and personal data are deleted, and remaining credits are lost.`}</p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {t`Delete account…`}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t`Delete your account?`}>
        <DeleteForm email={email} hasPassword={hasPassword} onClose={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

type Props = { email: string; hasPassword: boolean; onClose: () => void }

function DeleteForm({ email, hasPassword, onClose }: Props) {
  const router = useRouter()
  const remove = useSingleFlight({
    mutationFn: (body: { password?: string; owed?: number }) =>
      endSession(() => dataOf(kinora.DELETE('/api/v1/account', { body }))),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' })
      toast({ text: t`Your account is deleted.` })
    },
  })
  return (
    <DeletionForm
      name={email}
      isName={(typed) => typed.toLowerCase() === email.toLowerCase()}
      hasPassword={hasPassword}
      submitLabel={t`Delete account`}
      remove={remove}
      onCancel={onClose}
    >
      {t`You are signed out everywhere, and your keys and links to films stop working. Films in progress finish first. The record of credits and payments stays, without your name. This cannot be undone.`}
    </DeletionForm>
  )
}
