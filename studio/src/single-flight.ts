/**
 * What a button sets going. The rule: while it is at work, another press does nothing; the second click of a double click
 * comes before the button is drawn as busy, and must not be a second request.
 */
import type { KinoraError } from '@kinora/client'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { queryClient } from './api.ts'

/**
 * As useMutation, for what must not happen twice.
 * @param options its mutationKey names what is done; left out, it is that of the one place on the page
 */
export function useSingleFlight<Data, Wish = void>(options: UseMutationOptions<Data, KinoraError, Wish>) {
  const id = useId()
  const { mutationKey = ['press', id] } = options
  const { mutateAsync: _, ...work } = useMutation({ ...options, mutationKey })
  const mutate: typeof work.mutate = (...wish) => {
    if (queryClient.isMutating({ mutationKey }) === 0) work.mutate(...wish)
  }
  return { ...work, mutate }
}
