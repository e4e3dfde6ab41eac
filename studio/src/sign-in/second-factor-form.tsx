/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { AuthForm, fieldErrors, useCompleteSignIn } from './auth-form.tsx'
import { oneTimeCode } from './one-time-code.ts'

export function SecondFactorForm({ next }: { next: string | undefined }) {
  const completeSignIn = useCompleteSignIn(next)
  const [isRecovery, setRecovery] = useState(false)
  const verify = useSingleFlight({
    mutationFn: async (code: string) => {
      const body = { code }
      await dataOf(
        isRecovery
          ? kinora.POST('/api/auth/two-factor/verify-backup-code', { body })
          : kinora.POST('/api/auth/two-factor/verify-totp', { body }),
      )
      await completeSignIn()
    },
  })
  const isWrong = verify.error?.authCode === 'INVALID_CODE' || verify.error?.authCode === 'INVALID_BACKUP_CODE'
  return (
    <>
      <AuthForm
        submitLabel={t`Sign in`}
        isPending={verify.isPending}
        error={isWrong ? undefined : fieldErrors(verify.error).form}
        onSubmit={(form) => verify.mutate(oneTimeCode(String(form.get('code'))))}
      >
        <Field
          key={String(isRecovery)}
          label={isRecovery ? t`Recovery code` : t`Code`}
          hint={
            isRecovery
              ? t`Each recovery code is good for one sign-in.`
              : t`The six digits that your authenticator app shows.`
          }
          name="code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          required
          maxLength={40}
          error={isWrong ? verify.error?.message : undefined}
        />
      </AuthForm>
      <Button
        kind="quiet"
        onClick={() => {
          verify.reset()
          setRecovery(!isRecovery)
        }}
      >
        {isRecovery ? t`Use a code of the app` : t`Use a recovery code`}
      </Button>
    </>
  )
}
