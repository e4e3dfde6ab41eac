/** The name of a member of a team, an API key or a connected program that made a film or spent credits. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'

export type Maker = Schemas['Maker']

export function makerName({ name, kind }: Pick<Maker, 'name' | 'kind'>): string {
  switch (kind) {
    case 'member':
      return name ?? t`Former member`
    case 'key':
      return name === null ? t`Deleted API key` : t`API key “${name}”`
    case 'program':
      return name === null ? t`Disconnected program` : t`Program “${name}”`
  }
}
