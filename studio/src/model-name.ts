/** Model names by id. Users read the name on every page; the id is for programs, URLs and operators. */
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from './api.ts'

/** The name of each model while the models load. */
export const NAME_PENDING = '–'

/** @returns a lookup from id to name: NAME_PENDING while the models load, the id of a model no longer listed */
export function useModelNames(): (id: string) => string {
  const { data, isPending } = useQuery(modelsQuery)
  return (id) => (isPending ? NAME_PENDING : (data?.models.find((model) => model.id === id)?.name ?? id))
}
