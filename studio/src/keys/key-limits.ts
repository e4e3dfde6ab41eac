/** What an API key may do and spend, as text. */
import { t } from '@lingui/core/macro'
import { formatList } from '../ui/format.ts'
import type { ApiKey } from './delete-key-dialog.tsx'

export type Scope = ApiKey['scopes'][number]
export type Period = NonNullable<ApiKey['budget']>['period']

export const scopes: readonly { scope: Scope; label: string; name: string }[] = [
  { scope: 'read', label: t`See films and credits`, name: t`see films` },
  { scope: 'generate', label: t`Make, cancel, delete and share films`, name: t`make films` },
  { scope: 'account', label: t`Webhooks, payments, the account`, name: t`manage the account` },
]

/** ['read', 'generate'] → "May see films, make films" */
export const scopeNames = (ofKey: readonly Scope[]): string =>
  ofKey.length === scopes.length
    ? t`May do everything`
    : t`May ${formatList(scopes.filter(({ scope }) => ofKey.includes(scope)).map(({ name }) => name))}`

export const periodNames: Record<Period, string> = { day: t`today`, week: t`this week`, month: t`this month` }

export const periodOptions: Record<Period, string> = { day: t`A day`, week: t`A week`, month: t`A month` }
