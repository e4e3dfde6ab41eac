/** Passkeys and accounts at providers: added, linked and removed here. An old sign-in needs the password first. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, queryClient } from '../api.ts'
import { ConfirmPasswordDialog, isSignInOld } from '../keys/confirm-password-dialog.tsx'
import { canUsePasskeys, createPasskey, signInOptionsQuery } from '../sign-in/options.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { formatDate } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { accountsQuery, passkeysQuery } from './queries.ts'
import styles from './session-list.module.css'
import { describeUserAgent } from './user-agent.ts'

type Change =
  | { do: 'add-passkey' }
  | { do: 'delete-passkey'; id: string }
  | { do: 'link'; provider: string }
  | { do: 'unlink'; accountId: string }

/** A passkey is made once, also when the password is asked for after it. */
type Attempt = { change: Change; password?: string }

export function SignInMethods() {
  const { error: linkError } = useSearch({ from: '/signed-in/account' })
  const accountsRead = useQuery(accountsQuery)
  const passkeysRead = useQuery(passkeysQuery)
  const optionsRead = useQuery(signInOptionsQuery)
  const isPending = accountsRead.isPending || passkeysRead.isPending || optionsRead.isPending
  const accounts = accountsRead.data ?? []
  const passkeys = passkeysRead.data ?? []
  const providers = optionsRead.data?.providers ?? []
  const [isConfirming, setConfirming] = useState(false)
  const [credential, setCredential] = useState<object | null>(null)
  const change = useSingleFlight({
    mutationFn: ({ change: wanted, password }: Attempt) => apply(wanted, password, credential, setCredential),
    onSuccess: async () => {
      setConfirming(false)
      setCredential(null)
      await queryClient.invalidateQueries({ queryKey: ['sign-in-methods'] })
    },
    onError: (error) => {
      if (isSignInOld(error)) setConfirming(true)
    },
  })
  const last = change.variables
  const run = (wanted: Change) => change.mutate({ change: wanted })
  const linked = (id: string) => accounts.find(({ providerId }) => providerId === id)
  const hasPassword = linked('credential') !== undefined
  return (
    <section className="panel" aria-labelledby="sign-in-methods">
      <h3 id="sign-in-methods">{t`Ways to sign in`}</h3>
      {linkError ? <p className="field-error">{linkMessage(linkError)}</p> : null}
      {isPending ? (
        <LoadingState>
          <SkeletonBlock height="64px" />
        </LoadingState>
      ) : null}
      {!isPending && passkeys.length + providers.length > 0 ? (
        <ul>
          {passkeys.map(({ id, name, createdAt }) => (
            <li key={id} className={styles.session}>
              <div>
                <p>{name || t`Passkey`}</p>
                <p className="quiet small">{t`Passkey, since ${formatDate(createdAt)}`}</p>
              </div>
              <Button
                kind="quiet"
                onClick={() => run({ do: 'delete-passkey', id })}
                aria-label={t`Delete passkey ${name ?? ''}`}
              >
                {t`Delete`}
              </Button>
            </li>
          ))}
          {providers.map(({ id, name }) => {
            const account = linked(id)
            return (
              <li key={id} className={styles.session}>
                <div>
                  <p>{name}</p>
                  <p className="quiet small">
                    {account ? t`Linked since ${formatDate(account.createdAt)}` : t`Not linked`}
                  </p>
                </div>
                {account ? (
                  <Button kind="quiet" onClick={() => run({ do: 'unlink', accountId: account.id })}>
                    {t`Unlink ${name}`}
                  </Button>
                ) : (
                  <Button kind="quiet" onClick={() => run({ do: 'link', provider: id })}>
                    {t`Link ${name}`}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      ) : null}
      {!isPending && passkeys.length === 0 ? (
        <p className="quiet">
          {t`With a passkey you sign in by a fingerprint, a face or a PIN of your device, without the password.`}
        </p>
      ) : null}
      {change.error && !isConfirming ? <ErrorState error={change.error} /> : null}
      {canUsePasskeys() ? (
        <Button busy={change.isPending} onClick={() => run({ do: 'add-passkey' })}>
          {t`Add a passkey`}
        </Button>
      ) : null}
      <ConfirmPasswordDialog
        open={isConfirming}
        isPending={change.isPending}
        error={change.error}
        reason={
          hasPassword
            ? t`You signed in a while ago. Type your password before a way to sign in is changed.`
            : t`You signed in a while ago, and have no password. Sign out, sign in again, and come back.`
        }
        submitLabel={t`Go on`}
        onConfirm={(password) => last && change.mutate({ change: last.change, password })}
        onClose={() => {
          setConfirming(false)
          change.reset()
        }}
      />
    </section>
  )
}

async function apply(
  change: Change,
  password: string | undefined,
  made: object | null,
  keep: (credential: object | null) => void,
): Promise<void> {
  const confirmation = password === undefined ? {} : { password }
  switch (change.do) {
    case 'add-passkey': {
      const options = made ? null : await dataOf(kinora.GET('/api/auth/passkey/generate-register-options'))
      const response = made ?? (options && (await createPasskey(options)))
      if (!response) return
      keep(response)
      const name = describeUserAgent(navigator.userAgent).slice(0, 60)
      const body = { name, response: response as never, ...confirmation }
      await dataOf(kinora.POST('/api/auth/passkey/verify-registration', { body }))
      return
    }
    case 'delete-passkey':
      await dataOf(kinora.POST('/api/auth/passkey/delete-passkey', { body: { id: change.id, ...confirmation } }))
      return
    case 'link': {
      const body = { provider: change.provider, callbackURL: '/account', ...confirmation }
      location.assign((await dataOf(kinora.POST('/api/auth/link-social', { body }))).url)
      return
    }
    case 'unlink':
      await dataOf(kinora.POST('/api/auth/unlink-account', { body: { accountId: change.accountId, ...confirmation } }))
  }
}

const linkMessage = (error: string): string =>
  error === 'email_does_not_match'
    ? t`The account at the provider has another e-mail address, so it was not linked.`
    : error === 'account_already_linked_to_different_user'
      ? t`That account at the provider belongs to another user here.`
      : t`The provider was not linked. Try again.`
