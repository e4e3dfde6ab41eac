/** A provider's task for a video, by its model's route. Invariant: nothing is sent beyond the catalogue. */
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { filmSize } from '../catalogue/film-size.ts'
import type { Media } from '../catalogue/inputs.ts'
import { withMentions } from '../catalogue/mentions.ts'
import { requestFor, routeOf } from '../catalogue/model.ts'
import { costOf, unitRatesOf } from '../catalogue/price.ts'
import { requestOf } from '../film/parameters.ts'
import type { OpenProvider } from '../provider/open.ts'
import type { Task } from '../provider/provider.ts'
import { mapRequest } from '../provider/request-mapping.ts'
import { TEST_ACCOUNT, testTaskOf } from '../provider/test-account.ts'
import { callbackUrl } from './callback-reference.ts'
import type { Step } from './outcome.ts'

/** The route of a video at an account, with its request; null: the catalogue has none any more. */
export function routeFor(video: Step['video'], account: string, facts: Media['facts']) {
  const { prompt: _, model: id, ...fields } = requestOf(video)
  const model = everyModel().get(id)
  const chosen = requestFor(model, { ...fields, inputs: video.madeOf, ...facts })
  const route = model && routeOf(model, account, chosen)
  return route ? { route, chosen } : null
}

/**
 * The task of a video, as the provider in use takes it. `usd`: what it costs there by the catalogue, null when that is
 * unknown. `unitRates`: what the vendor's units are worth for it. `problem`: why there is none. A model or route that
 * has left the catalogue is not replaced by the adapter's own mapping, which might order something else at another
 * price; the video is sent when it is there again, or fails at its deadline.
 */
export async function taskOf(
  app: App,
  { video }: Step,
  account: string,
  { adapter, takesCallback }: OpenProvider,
  media: Media,
): Promise<{ task: Task; usd: number | null; unitRates: Record<string, number> } | { problem: string }> {
  const { userId, id: videoId } = video
  const { prompt, model: id, aspectRatio } = video
  if (account === TEST_ACCOUNT) return { task: testTaskOf(videoId, prompt, aspectRatio), usd: 0, unitRates: {} }
  const found = routeFor(video, account, media.facts)
  if (!found) return { problem: `the catalogue has no route of ${id} for this film any more` }
  const { chosen, route } = found
  const { name = id, input = adapter.input ?? {}, cost, mentions } = route
  const size = filmSize(aspectRatio, video.quality)
  const address = callbackUrl(app.config, account, { userId, videoId })
  try {
    const task = {
      videoId,
      callbackUrl: takesCallback(address) ? address : undefined,
      model: name,
      input: await mapRequest(input, {
        prompt: withMentions(prompt, video.madeOf, mentions),
        model: name,
        watermark: app.config.vendorWatermark,
        ...chosen,
        ...media.named,
        ...size,
      }),
    }
    return { task, usd: cost ? costOf(cost, chosen) : null, unitRates: cost ? unitRatesOf(cost, chosen) : {} }
  } catch (error) {
    return { problem: `the input of ${id} cannot be computed: ${(error as Error).message}` }
  }
}
