/** What shows a model's manner before it has made the film: a sample of the catalogue, or the latest film of one's own that it has made. */
import type { Schemas } from '@kinora/client'
import { useQuery } from '@tanstack/react-query'
import { recentQuery } from './recent-query.ts'

export type Sample = { videoUrl: string | null; thumbnailUrl: string | null }

/** The sample of the catalogue, which has no thumbnail, else the film of one's own; null while there is neither. */
export function useSample({ id, sample: [link] }: Pick<Schemas['Model'], 'id' | 'sample'>): Sample | null {
  const own = useSamples()(id)
  return link === undefined ? own : { videoUrl: link, thumbnailUrl: null }
}

/** @returns a lookup of films of one's own by the id of the model; null while there is none */
export function useSamples(): (modelId: string) => Sample | null {
  const { data } = useQuery({ ...recentQuery, enabled: false })
  return (modelId) => {
    const film = data?.videos.find(({ model, thumbnailUrl }) => model === modelId && thumbnailUrl !== null)
    return film ? { videoUrl: film.videoUrl, thumbnailUrl: film.thumbnailUrl } : null
  }
}
