/**
 * What shows a model's manner before it has made the film: its sample, or its latest film of one's own, which goes
 * before a drawn sample and one without a picture.
 */
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../api.ts'
import { type Sample, sampleOf } from '../video/model-sample.tsx'
import { recentQuery } from './recent-query.ts'

/** @returns a lookup by the id of the model; null while there is neither */
export function useSamples(): (modelId: string) => Sample | null {
  const models = useQuery({ ...modelsQuery, enabled: false }).data?.models
  const films = useQuery({ ...recentQuery, enabled: false }).data?.videos
  return (modelId) => {
    const model = models?.find(({ id }) => id === modelId)
    const own = films?.find(({ model, thumbnailUrl }) => model === modelId && thumbnailUrl)
    return own && (!model?.sampleThumbnailUrl || model.isSampleDrawn) ? own : model ? sampleOf(model) : null
  }
}
