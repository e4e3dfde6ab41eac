/** Model names by id. Users read the name on every page; the id is for programs, URLs and operators. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from './api.ts'
import { isCut } from './cuts.ts'

/** @returns a lookup from id to name: null while the models load, the id of a model no longer listed */
export function useModelNames(): (id: string) => string | null {
  const { data, isPending } = useQuery(modelsQuery)
  return (id) => {
    if (isCut({ mode: id })) return t({ message: 'Cut', context: 'a film of several takes' })
    return isPending ? null : (data?.models.find((model) => model.id === id)?.name ?? id)
  }
}
