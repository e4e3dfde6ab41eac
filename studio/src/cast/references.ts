/** Members of the cast among the references of the form. */
import type { Use } from '../studio/form-fields.ts'
import type { DraftInput } from '../studio/form-values.ts'

/** The name of the member that an input of the form stands for; null for one that is no member. */
export const memberNameIn = ({ asset }: DraftInput): string | null => (asset?.startsWith('@') ? asset.slice(1) : null)

type Cast = { name: string; assets: readonly { id: string; kind: string }[] }

/**
 * The assets that a film takes of each of its references. Of members it leaves out what the model does not take, of
 * each kind and of all, the last ones first, as the service does (server/src/video/inputs.ts).
 */
export function takenOf(
  references: readonly DraftInput[],
  cast: readonly Cast[],
  { to, kinds, most }: Pick<Use, 'to' | 'kinds' | 'most'>,
): string[][] {
  const all = references.map((input) => {
    const assets = cast.find(({ name }) => name === memberNameIn(input))?.assets ?? []
    return assets.length > 1 ? assets : input
  })
  const taken: { kind: string }[] = all.flatMap((each) => ('kind' in each ? each : []))
  return all.map((each) => {
    if ('kind' in each) return [each.asset ?? '']
    const fitting = each.filter((asset) => {
      const same = taken.filter(({ kind }) => kind === asset.kind)
      const fits = kinds.includes(asset.kind) && same.length < (most?.[asset.kind] ?? to) && taken.length < to
      if (fits) taken.push(asset)
      return fits
    })
    return fitting.map(({ id }) => id)
  })
}
