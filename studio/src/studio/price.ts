/** The price of the form's values, quoted by the API; the last price stays until the next one loads. */
import type { GenerateBody } from '@kinora/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { type FormValues, requestBody } from './form-values.ts'

const DEBOUNCE_MS = 200

/** @param bodies as JSON */
const quoteQuery = (bodies: string, isComplete: boolean) =>
  queryOptions({
    queryKey: ['credit', 'quote', bodies],
    queryFn: async () => {
      const all: GenerateBody[] = JSON.parse(bodies)
      const quotes = await Promise.all(all.map((body) => dataOf(kinora.POST('/api/v1/video/quote', { body }))))
      return {
        available: quotes[0]?.available ?? 0,
        credits: quotes.reduce((sum, { credits }) => sum + credits, 0),
        // The most that the films can cost: of one of them the length is not known yet.
        ceiling: quotes.some(({ ceiling }) => ceiling),
      }
    },
    placeholderData: keepPreviousData,
    // A request that lacks an input has no price yet.
    enabled: isComplete,
  })

/**
 * The price of the films of all these values.
 * @returns `isCurrent`: `quote` is the price of these values and not of earlier ones; `isRequested`: a quote of these
 * values was requested, so that `error` belongs to them
 */
export function usePrice(all: FormValues[]) {
  // The price does not depend on the prompt, so typing one sends no request.
  const bodies = JSON.stringify(all.map((values) => requestBody({ ...values, prompt: 'any' })))
  const debounced = useDebounced(bodies)
  const isComplete = all.every(({ missing }) => missing.length === 0)
  const { data, error, refetch, isSuccess, isPlaceholderData } = useQuery(quoteQuery(debounced, isComplete))
  const isRequested = debounced === bodies
  return { quote: data, error, retry: refetch, isRequested, isCurrent: isRequested && isSuccess && !isPlaceholderData }
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
