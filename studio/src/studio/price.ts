/** What a wish would cost, asked of the service, which alone knows; the last price stands while the next one loads. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { type FormValues, requestBody } from './form-values.ts'

const PAUSE_MS = 200

/** The price does not hang on the prompt, so that writing one asks for nothing. */
const quote = (wish: FormValues) =>
  queryOptions({
    queryKey: ['credit', 'quote', wish],
    queryFn: () => dataOf(kinora.POST('/api/v1/video/quote', { body: requestBody({ ...wish, prompt: 'Any' }) })),
    placeholderData: keepPreviousData,
  })

/** `isCurrent`: the price is that of this wish, and not of the one before; `isAsked`: so are the answer and the error. */
export function usePrice({ prompt: _, ...rest }: FormValues) {
  const wish = { ...rest, prompt: '' }
  const settled = useSettled(JSON.stringify(wish))
  const answer = useQuery(quote(JSON.parse(settled)))
  const isAsked = settled === JSON.stringify(wish)
  const isCurrent = isAsked && answer.isSuccess && !answer.isPlaceholderData
  return { quote: answer.data, error: answer.error, retry: answer.refetch, isAsked, isCurrent }
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
