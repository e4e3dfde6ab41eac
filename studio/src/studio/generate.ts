/**
 * Submits the generate form: one request, or one for each model of a comparison. Invariant: one submission creates each
 * film at most once, because every attempt sends the same idempotency key until the outcome is known.
 */
import { dataOf, kinora, refreshQueries, refreshVideos } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { type FormValues, isOutcomeUnknown, requestBody } from './form-values.ts'
import { prependVideo } from './recent-query.ts'

const ATTEMPTS_MAX = 4

/** The shot of a project whose takes are made. */
export type ShotOf = { project: string; shot: string }

/** @param onCreated receives the uuids of the new videos */
export function useGenerate(userId: string, onCreated: (uuids: string[]) => void, shot?: ShotOf) {
  const { keyOf, settle } = useIdempotencyKeys()
  const create = async (values: FormValues) => {
    const fingerprint = requestFingerprint(values)
    const created = await dataOf(
      kinora.POST('/api/v1/video/generate', {
        body: { ...requestBody(values), ...(shot && { shot }) },
        params: { header: { 'idempotency-key': keyOf(fingerprint) } },
      }),
    )
    return { ...created, values }
  }
  const mutation = useSingleFlight({
    // A film that was created in an attempt before is an idempotent replay in the next one.
    mutationFn: (all: FormValues[]) => Promise.all(all.map(create)),
    retry: (failureCount, error) => isOutcomeUnknown(error) && failureCount < ATTEMPTS_MAX - 1,
    // Exponential backoff: 0.5 s, 1 s, 2 s.
    retryDelay: (failureCount) => 500 * 2 ** failureCount,
    onSuccess: async (created) => {
      for (const { values } of created) settle(requestFingerprint(values))
      const films = created.flatMap(({ values, videos, ...video }) =>
        (videos ?? [video]).map((each) => ({
          ...listedFrom(values),
          madeBy: chosenTeam() ? userId : null,
          batchId: videos ? video.uuid : null,
          ...each,
        })),
      )
      for (const film of films.toReversed()) prependVideo(film)
      onCreated(films.map(({ uuid }) => uuid))
      await refreshVideos()
    },
    onError: (error, all) => {
      // Of a comparison, some films may have been created: their keys stay, so that the next attempt does not repeat
      // them.
      if (!isOutcomeUnknown(error) && all.length === 1) for (const values of all) settle(requestFingerprint(values))
      if (error.code === 'INSUFFICIENT_CREDITS') refreshQueries(['credit'])
      if (all.length > 1) void refreshVideos()
    },
  })
  const { mutate: generate, isPending, error, variables, reset } = mutation
  return { generate, isPending, error, submitted: variables ?? null, reset }
}

/** What the list will have of a new film, besides what the response says. */
const listedFrom = ({ prompt, mode, seconds, aspectRatio }: FormValues) => ({
  waiting: false,
  prompt: prompt.trim(),
  mode: mode.name,
  duration: seconds ?? 0,
  aspectRatio,
  videoUrl: null,
  thumbnailUrl: null,
  completedAt: null,
  seed: null,
  extendedFrom: null,
  upscaledFrom: null,
  favourite: false,
  folderId: null,
  usedIn: null,
  subject: null,
  metadata: null,
  failure: null,
  isPublished: false,
})

/** Equal for two requests for the same film. */
const requestFingerprint = (values: FormValues): string => JSON.stringify(requestBody(values))
