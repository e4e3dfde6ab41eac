/** The models that a user prefers: the favourites of this browser, and those of the latest films. */
import { useQuery } from '@tanstack/react-query'
import { browserStorage } from '../browser-storage.ts'
import { ownerKey } from '../chosen-team.ts'
import { recentQuery } from './recent-query.ts'

const RECENT_MAX = 4

const keyOf = (userId: string) => `kinora.models.${ownerKey(userId)}`

/** Ids of models. */
export function readFavourites(userId: string): string[] {
  const ids = browserStorage.read(keyOf(userId))
  return Array.isArray(ids) ? ids.filter((each) => typeof each === 'string') : []
}

export const writeFavourites = (userId: string, ids: string[]): void =>
  browserStorage.write(keyOf(userId), ids.length > 0 ? ids : null)

/** Ids of the models of the latest films, the latest first. */
export function useRecentModels(): string[] {
  const { data } = useQuery({ ...recentQuery, enabled: false })
  return [...new Set(data?.videos.map(({ model }) => model))].slice(0, RECENT_MAX)
}
