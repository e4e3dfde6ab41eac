/** Alternative sign-in methods, below the form: a passkey, and the providers that are set up. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { latestError, useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useCompleteSignIn } from './auth-form.tsx'
import { canUsePasskeys, requestPasskey, signInOptionsQuery } from './options.ts'

/** @param withPasskey false on the sign-up page: a passkey belongs to an account that exists */
export function AlternativeMethods({ next, withPasskey }: { next: string | undefined; withPasskey: boolean }) {
  const providers = useQuery(signInOptionsQuery).data?.providers ?? []
  const completeSignIn = useCompleteSignIn(next)
  const usePasskey = useSingleFlight({
    mutationFn: async () => {
      const response = await requestPasskey(await dataOf(kinora.GET('/api/auth/passkey/generate-authenticate-options')))
      if (!response) return
      await dataOf(kinora.POST('/api/auth/passkey/verify-authentication', { body: { response: response as never } }))
      await completeSignIn()
    },
  })
  const useProvider = useSingleFlight({
    mutationFn: async (provider: string) => {
      const { url } = await dataOf(
        kinora.POST('/api/auth/sign-in/social', { body: { provider, callbackURL: next ?? '/' } }),
      )
      location.assign(url)
    },
  })
  const hasPasskeys = withPasskey && canUsePasskeys()
  if (!hasPasskeys && providers.length === 0) return null
  const error = latestError(usePasskey, useProvider)
  return (
    <div className="stack">
      {hasPasskeys ? (
        <Button busy={usePasskey.isPending} onClick={() => usePasskey.mutate()}>
          {t`Use a passkey`}
        </Button>
      ) : null}
      {providers.map(({ id, name }) => (
        <Button key={id} busy={useProvider.isPending} onClick={() => useProvider.mutate(id)}>
          {t`Go on with ${name}`}
        </Button>
      ))}
      {error ? <ErrorState error={error} /> : null}
    </div>
  )
}
