/** The name of a member of a team, or of an API key, that made a film or spent credits. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'

export type Maker = Schemas['Maker']

export const makerName = ({ name, kind }: Pick<Maker, 'name' | 'kind'>): string =>
  kind === 'member' ? (name ?? t`Former member`) : name === null ? t`Deleted API key` : t`API key “${name}”`
