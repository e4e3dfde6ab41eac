/** What an API key may do and spend, as text. */
import type { ApiKey } from './delete-key-dialog.tsx'

export type Scope = ApiKey['scopes'][number]
export type Period = NonNullable<ApiKey['budget']>['period']

export const scopes: readonly { scope: Scope; label: string; name: string }[] = [
  { scope: 'read', label: 'See films and credits', name: 'see films' },
  { scope: 'generate', label: 'Make, cancel, delete and share films', name: 'make films' },
  { scope: 'account', label: 'Webhooks, payments, the account', name: 'manage the account' },
]

/** ['read', 'generate'] → "May see films, make films" */
export const scopeNames = (ofKey: readonly Scope[]): string =>
  ofKey.length === scopes.length
    ? 'May do everything'
    : `May ${scopes
        .filter(({ scope }) => ofKey.includes(scope))
        .map(({ name }) => name)
        .join(', ')}`

export const periodNames: Record<Period, string> = { day: 'today', week: 'this week', month: 'this month' }

export const periodOptions: readonly { period: Period; label: string }[] = [
  { period: 'day', label: 'A day' },
  { period: 'week', label: 'A week' },
  { period: 'month', label: 'A month' },
]
