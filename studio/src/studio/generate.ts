/**
 * The press of the button. The rule: one press makes one video at most. Its key goes with every attempt, by itself or by
 * hand, until the service has said what became of it.
 */
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { dataOf, kinora, queries, videosChanged } from '../api.ts'
import { showMade } from './recent.ts'
import { bodyOf, isUncertain, type Wish } from './wish.ts'

type Press = { wish: Wish; key: string }

const ATTEMPTS = 4

export function useGenerate(onMade: (uuid: string) => void) {
  /** The last press whose outcome nobody knows. */
  const open = useRef<Press | null>(null)
  const mutation = useMutation({
    mutationFn: ({ wish, key }: Press) =>
      dataOf(
        kinora.POST('/api/v1/video/generate', {
          body: bodyOf(wish),
          params: { header: { 'idempotency-key': key } },
        }),
      ),
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
      if (error.code === 'INSUFFICIENT_CREDITS') queries.invalidateQueries({ queryKey: ['credit'] })
    },
  })
  const generate = (wish: Wish) => {
    const same = open.current && JSON.stringify(open.current.wish) === JSON.stringify(wish)
    const press = same && open.current ? open.current : { wish, key: crypto.randomUUID() }
    open.current = press
    mutation.mutate(press)
  }
  return { generate, isPending: mutation.isPending, error: mutation.error, forget: mutation.reset }
}
