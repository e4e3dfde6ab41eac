/**
 * Single-flight mutations: while a mutation is pending, another call does nothing. The second click of a double click
 * arrives before React renders the button as busy, so the disabled state alone would let a second request through.
 */
import type { KinoraError } from '@kinora/client'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { queryClient } from './api.ts'

/**
 * useMutation without concurrent runs.
 * @param options calls with the same mutationKey exclude each other; the default key is unique to the component
 * instance
 */
export function useSingleFlight<Data, Variables = void>(options: UseMutationOptions<Data, KinoraError, Variables>) {
  const id = useId()
  const { mutationKey = ['single-flight', id] } = options
  const { mutateAsync: _, ...mutation } = useMutation({ ...options, mutationKey })
  const mutate: typeof mutation.mutate = (...args) => {
    if (queryClient.isMutating({ mutationKey }) === 0) mutation.mutate(...args)
  }
  return { ...mutation, mutate }
}

type Submitted = { submittedAt: number; error: KinoraError | null }

/** The error of the mutation that was submitted last: a new action hides the error before. */
export const latestError = (...mutations: [Submitted, ...Submitted[]]): KinoraError | null =>
  mutations.reduce((latest, each) => (each.submittedAt > latest.submittedAt ? each : latest)).error
