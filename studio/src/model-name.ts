/** Model names by id. Users read the name on every page; the id is for programs, URLs and operators. */
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from './api.ts'

/** @returns a lookup from id to name: null while the models load, the id of a model no longer listed */
export function useModelNames(): (id: string) => string | null {
  const { data, isPending } = useQuery(modelsQuery)
  return (id) => (isPending ? null : (data?.models.find((model) => model.id === id)?.name ?? id))
}
