/** Model names by id. Users read the name on every page; the id is for programs, URLs and operators. */
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from './api.ts'

/** @returns a lookup from id to name: a dash while the models load, the id itself for a model that is no longer listed */
export function useModelNames(): (id: string) => string {
  const { data, isPending } = useQuery(modelsQuery)
  return (id) => (isPending ? '–' : (data?.models.find((model) => model.id === id)?.name ?? id))
}
