/** What shows a model's manner before it has made the film: the latest film of one's own that it has made. */
import { useQuery } from '@tanstack/react-query'
import { recentQuery } from './recent-query.ts'

export type Sample = { videoUrl: string | null; thumbnailUrl: string | null }

/** @returns a lookup by the id of the model; null while there is nothing to show */
export function useSamples(): (modelId: string) => Sample | null {
  const { data } = useQuery({ ...recentQuery, enabled: false })
  return (modelId) => {
    const film = data?.videos.find(({ model, thumbnailUrl }) => model === modelId && thumbnailUrl !== null)
    return film ? { videoUrl: film.videoUrl, thumbnailUrl: film.thumbnailUrl } : null
  }
}
