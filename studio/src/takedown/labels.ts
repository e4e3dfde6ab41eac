/** What the fields of a statement of reasons are called, for makers and administrators. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'

type Statement = Schemas['StatementOfReasons']

export const restrictionLabels: Record<Statement['state'], string> = {
  hidden: t`Hidden`,
  removed: t({ message: 'Removed', context: 'a film' }),
  lifted: t`Lifted`,
}
export const groundLabels: Record<Statement['ground'], string> = {
  law: t`It is illegal`,
  terms: t`It is against the terms`,
}
export const sourceLabels: Record<Statement['source'], string> = {
  notice: t`By a notice`,
  own: t`By the service itself`,
}
