/** The price of the form's values, quoted by the API; the last price stays until the next one loads. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { type FormValues, requestBody } from './form-values.ts'

const DEBOUNCE_MS = 200

const quoteQuery = (values: FormValues) =>
  queryOptions({
    queryKey: ['credit', 'quote', values],
    queryFn: () => dataOf(kinora.POST('/api/v1/video/quote', { body: requestBody({ ...values, prompt: 'any' }) })),
    placeholderData: keepPreviousData,
    // A request that lacks an image has no price yet.
    enabled: values.missing.length === 0,
  })

/**
 * @returns `isCurrent`: `quote` is the price of these values and not of earlier ones; `isRequested`: a quote of these
 * values was requested, so that `error` belongs to them
 */
export function usePrice(priced: FormValues) {
  // The price does not depend on the prompt, so typing one sends no request.
  const values = { ...priced, prompt: '' }
  const debounced = useDebounced(JSON.stringify(values))
  const { data, error, refetch, isSuccess, isPlaceholderData } = useQuery(quoteQuery(JSON.parse(debounced)))
  const isRequested = debounced === JSON.stringify(values)
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
