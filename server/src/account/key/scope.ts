/** Scopes of API keys. A session has all of them. */
import { AppError } from '../../errors.ts'

/**
 * `read`: reads films, models, events and credits. `generate`: makes, cancels, deletes and shares films, uploads start images. `account`:
 * all the rest, such as webhooks, payments, the account itself and what administrators may do.
 */
export const SCOPES = ['read', 'generate', 'account'] as const
export type Scope = (typeof SCOPES)[number]

/** @throws AppError INSUFFICIENT_SCOPE */
export function requireScope({ key }: { key: { scopes: readonly Scope[] } | null }, scope: Scope): void {
  if (!key || key.scopes.includes(scope)) return
  throw new AppError(
    'INSUFFICIENT_SCOPE',
    `This needs an API key with the scope ${scope}; this one has ${key.scopes.join(' and ')}. Create one that has it.`,
    { details: { scope, scopes: key.scopes } },
  )
}

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
