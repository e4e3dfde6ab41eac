/** What shows a model's manner before it has made the film: its sample, or its latest film of one's own. */
import type { Schemas } from '@kinora/client'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../api.ts'
import { type Sample, sampleOf } from '../video/model-sample.tsx'
import { recentQuery } from './recent-query.ts'

/** Null while there is neither. */
export function useSample(model: Pick<Schemas['Model'], 'id' | 'sample' | 'sampleThumbnailUrl'>): Sample | null {
  const own = useOwnFilms()(model.id)
  return sampleOf(model) ?? own
}

/** @returns a lookup of pictures by the id of the model; null while there is none */
export function useSamplePictures(): (modelId: string) => string | null {
  const { data } = useQuery({ ...modelsQuery, enabled: false })
  const ownFilmOf = useOwnFilms()
  return (modelId) =>
    data?.models.find(({ id }) => id === modelId)?.sampleThumbnailUrl ?? ownFilmOf(modelId)?.thumbnailUrl ?? null
}

function useOwnFilms(): (modelId: string) => Sample | null {
  const { data } = useQuery({ ...recentQuery, enabled: false })
  return (modelId) => {
    const film = data?.videos.find(({ model, thumbnailUrl }) => model === modelId && thumbnailUrl !== null)
    return film ? { videoUrl: film.videoUrl, thumbnailUrl: film.thumbnailUrl } : null
  }
}
