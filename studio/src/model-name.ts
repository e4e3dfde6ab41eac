/** What a model is called. The rule: a maker reads its name everywhere; its id is for programs, addresses and operators. */
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from './api.ts'

/** @returns the name of each model by its id; one that nobody knows any more keeps its id, and a dash stands until names are known */
export function useModelNames(): (id: string) => string {
  const { data, isPending } = useQuery(modelsQuery)
  return (id) => (isPending ? '–' : (data?.models.find((model) => model.id === id)?.name ?? id))
}
