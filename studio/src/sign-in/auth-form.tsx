/** What the sign-in and sign-up pages share: the form, API errors by form field, and entering the studio afterwards. */
import type { KinoraError } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSetupOpen } from '../admin/setup-open.ts'
import { broadcastSession, dataOf, kinora, queryClient, sessionQuery } from '../api.ts'
import { Button } from '../ui/button.tsx'

/** The rules for a new password, which the service checks. */
export const PASSWORD_HINT = t`At least 10 characters, not your e-mail address, and no password that many people use. Several words in a row are good.`

type AuthFormProps = {
  /** The fields. */
  children: ReactNode
  submitLabel: string
  isPending: boolean
  /** An error that belongs to no field. */
  error: string | undefined
  onSubmit: (form: FormData) => void
}

export function AuthForm({ children, submitLabel, isPending, error, onSubmit }: AuthFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {children}
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
      <Button kind="primary" type="submit" busy={isPending}>
        {submitLabel}
      </Button>
    </form>
  )
}

/**
 * @param next a same-origin path that routes.tsx validated; the studio when undefined
 * @returns a function that loads the new session, calls `prepare` with the user id, and navigates to `next`
 */
export function useCompleteSignIn(next: string | undefined): (prepare?: (userId: string) => void) => Promise<void> {
  const router = useRouter()
  return async (prepare) => {
    const current = await dataOf(kinora.GET('/api/auth/get-session'))
    queryClient.setQueryData(sessionQuery.queryKey, current)
    if (current) {
      broadcastSession(current.user.id)
      prepare?.(current.user.id)
    }
    router.history.push(next ?? (await homeOf(current?.user)))
  }
}

/** An administrator of a service that is not set up yet sees the checklist first. */
const homeOf = async (user: { role?: string | null } | undefined): Promise<string> =>
  user?.role === 'admin' && (await isSetupOpen()) ? '/admin/setup' : '/'

type FieldName = 'name' | 'email' | 'password' | 'form'
type FieldErrors = { [Name in FieldName]?: string }

/** The field of each error code of the auth API. */
const fieldOf: Record<string, FieldName> = {
  INVALID_EMAIL_OR_PASSWORD: 'password',
  INVALID_EMAIL: 'email',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  PASSWORD_TOO_COMMON: 'password',
  PASSWORD_IS_EMAIL: 'password',
  INVALID_NAME: 'name',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
}

export function fieldErrors(error: KinoraError | null): FieldErrors {
  if (!error) return {}
  if (error.code === 'RATE_LIMITED' && error.retryAfterSeconds !== null) {
    return {
      form: t`That was too often. Try again in ${plural(error.retryAfterSeconds, { one: '# second', other: '# seconds' })}.`,
    }
  }
  return { [fieldOf[error.code ?? ''] ?? 'form']: error.message }
}
