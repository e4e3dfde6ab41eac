/**
 * The press of the button. The rule: one press makes one video at most. Its key goes with every attempt, by itself or by
 * hand, until the service has said what became of it.
 */
import { newKey } from '@kinora/client'
import { useRef } from 'react'
import { dataOf, kinora, refreshQueries, refreshVideos } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { type FormValues, isOutcomeUnknown, isSameRequest, requestBody } from './form-values.ts'
import { prependVideo } from './recent-query.ts'

type Press = { wish: FormValues; key: string }

const ATTEMPTS = 4

export function useGenerate(onMade: (uuid: string) => void) {
  /** The last press whose outcome nobody knows. */
  const open = useRef<Press | null>(null)
  const mutation = useSingleFlight({
    mutationFn: ({ wish, key }: Press) =>
      dataOf(
        kinora.POST('/api/v1/video/generate', {
          body: requestBody(wish),
          params: { header: { 'idempotency-key': key } },
        }),
      ),
    onMutate: (press) => {
      open.current = press
    },
    retry: (count, error) => isOutcomeUnknown(error) && count < ATTEMPTS - 1,
    retryDelay: (count) => 500 * 2 ** count,
    onSuccess: async (made, { wish }) => {
      open.current = null
      prependVideo({
        ...made,
        prompt: wish.prompt.trim(),
        duration: wish.duration,
        aspectRatio: wish.aspectRatio,
        videoUrl: null,
        thumbnailUrl: null,
        completedAt: null,
      })
      onMade(made.uuid)
      await refreshVideos()
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) open.current = null
      if (error.code === 'INSUFFICIENT_CREDITS') refreshQueries(['credit'])
    },
  })
  const generate = (wish: FormValues) => {
    // The wish as it is now, because the link to its image may be a newer one than at the first press.
    const isSame = open.current !== null && isSameRequest(open.current.wish, wish)
    mutation.mutate({ wish, key: isSame && open.current ? open.current.key : newKey() })
  }
  const { isPending, error, variables, reset } = mutation
  return { generate, isPending, error, pressed: variables?.wish ?? null, forget: reset }
}
