/**
 * Submits the generate form. Invariant: one submission creates at most one video, because every attempt sends the same
 * idempotency key until the outcome is known.
 */
import { dataOf, kinora, refreshQueries, refreshVideos } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { type FormValues, isOutcomeUnknown, requestBody, requestFingerprint } from './form-values.ts'
import { prependVideo } from './recent-query.ts'

const ATTEMPTS_MAX = 4

/** @param onCreated receives the uuid of the new video */
export function useGenerate(onCreated: (uuid: string) => void) {
  const { keyOf, settle } = useIdempotencyKeys()
  const mutation = useSingleFlight({
    mutationFn: (values: FormValues) =>
      dataOf(
        kinora.POST('/api/v1/video/generate', {
          body: requestBody(values),
          params: { header: { 'idempotency-key': keyOf(requestFingerprint(values)) } },
        }),
      ),
    retry: (failureCount, error) => isOutcomeUnknown(error) && failureCount < ATTEMPTS_MAX - 1,
    // Exponential backoff: 0.5 s, 1 s, 2 s.
    retryDelay: (failureCount) => 500 * 2 ** failureCount,
    onSuccess: async (created, values) => {
      settle(requestFingerprint(values))
      prependVideo({
        ...created,
        prompt: values.prompt.trim(),
        duration: values.duration,
        aspectRatio: values.aspectRatio,
        videoUrl: null,
        thumbnailUrl: null,
        completedAt: null,
        seed: null,
        extendedFrom: null,
        batchId: null,
        failure: null,
      })
      onCreated(created.uuid)
      await refreshVideos()
    },
    onError: (error, values) => {
      if (!isOutcomeUnknown(error)) settle(requestFingerprint(values))
      if (error.code === 'INSUFFICIENT_CREDITS') refreshQueries(['credit'])
    },
  })
  const { mutate: generate, isPending, error, variables, reset } = mutation
  return { generate, isPending, error, submitted: variables ?? null, reset }
}
