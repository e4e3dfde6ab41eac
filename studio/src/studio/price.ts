/**
 * The price of the form's values: at once as the models' lists have it, and then quoted by the API. A press counts
 * for the price that the button showed: it waits for the quote, and lapses when that is another one.
 */
import type { GenerateBody } from '@kinora/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import type { Model } from './form-fields.ts'
import { type FormValues, requestBody, totalPrice } from './form-values.ts'

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
 * The price of the films of all these values, each of its model.
 * @param send sends what was pressed
 * @returns `shown`: the price of these values; null: not known yet. `available`: credits before them. `isRequested`: a
 * quote of these values was requested, so that `error` belongs to them
 */
export function usePrice(models: Model[], all: FormValues[], send: () => void) {
  // The price does not depend on the prompt, so typing one sends no request.
  const bodies = JSON.stringify(all.map((values) => requestBody({ ...values, prompt: 'any' })))
  const debounced = useDebounced(bodies)
  const isComplete = all.every(({ missing }) => missing.length === 0)
  const { data, error, refetch, isSuccess, isPlaceholderData } = useQuery(quoteQuery(debounced, isComplete))
  const isRequested = debounced === bodies
  const isQuoted = isRequested && isSuccess && !isPlaceholderData
  const shown = isComplete ? (isQuoted ? data : totalPrice(models, all)) : null
  const available = data?.available ?? null
  const { isPressed, press } = usePress({
    offer: shown && `${shown.credits} ${bodies}`,
    isReady: isQuoted,
    isRefused: error !== null && isRequested,
    onCount: () => {
      if (shown && available !== null && available >= shown.credits) send()
    },
  })
  return { shown, available, error, retry: refetch, isRequested, isComplete, isPressed, press }
}

type Press = { offer: string | null; isReady: boolean; isRefused: boolean; onCount: () => void }

function usePress({ offer, isReady, isRefused, onCount }: Press) {
  const [pressed, setPressed] = useState<string | null>(null)
  const isPressed = pressed !== null && pressed === offer && !isRefused
  const count = useEffectEvent(() => {
    setPressed(null)
    onCount()
  })
  useEffect(() => {
    if (isPressed && isReady) count()
    else if (!isPressed) setPressed(null)
  }, [isPressed, isReady])
  return { isPressed, press: () => setPressed(offer) }
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
