/**
 * The press of the button. The rule: one press makes one video at most. Its key goes with every attempt, by itself or by
 * hand, until the service has said what became of it.
 */
import { newIdempotencyKey } from '@kinora/client'
import { useRef } from 'react'
import { dataOf, kinora, readAgain, videosChanged } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { bodyOf, isSameWish, isUncertain, type Wish } from './form-values.ts'
import { showMade } from './recent.ts'

type Press = { wish: Wish; key: string }

const ATTEMPTS = 4

export function useGenerate(onMade: (uuid: string) => void) {
  /** The last press whose outcome nobody knows. */
  const open = useRef<Press | null>(null)
  const mutation = useSingleFlight({
    mutationFn: ({ wish, key }: Press) =>
      dataOf(
        kinora.POST('/api/v1/video/generate', {
          body: bodyOf(wish),
          params: { header: { 'idempotency-key': key } },
        }),
      ),
    onMutate: (press) => {
      open.current = press
    },
    retry: (count, error) => isUncertain(error) && count < ATTEMPTS - 1,
    retryDelay: (count) => 500 * 2 ** count,
    onSuccess: async (made, { wish }) => {
      open.current = null
      showMade({
        ...made,
        prompt: wish.prompt.trim(),
        duration: wish.duration,
        aspectRatio: wish.aspectRatio,
        videoUrl: null,
        thumbnailUrl: null,
        completedAt: null,
      })
      onMade(made.uuid)
      await videosChanged()
    },
    onError: (error) => {
      if (!isUncertain(error)) open.current = null
      if (error.code === 'INSUFFICIENT_CREDITS') readAgain(['credit'])
    },
  })
  const generate = (wish: Wish) => {
    // The wish as it is now, because the link to its image may be a newer one than at the first press.
    const isSame = open.current !== null && isSameWish(open.current.wish, wish)
    mutation.mutate({ wish, key: isSame && open.current ? open.current.key : newIdempotencyKey() })
  }
  const { isPending, error, variables, reset } = mutation
  return { generate, isPending, error, pressed: variables?.wish ?? null, forget: reset }
}
