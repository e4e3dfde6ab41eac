/**
 * Idempotency keys for requests that cost credits. A request keeps its key until its outcome is known, so that a retry,
 * automatic or by hand, is an idempotent replay and not a second charge.
 */
import { newIdempotencyKey } from '@kinora/client'
import { useRef } from 'react'

/**
 * @returns `keyOf`: the key of a request, identified by a fingerprint of its content; `settle`: called once the outcome of a
 * request is known, so that the next request with the same content gets a new key
 */
export function useIdempotencyKeys() {
  const unsettled = useRef(new Map<string, string>())
  return {
    keyOf: (fingerprint: string): string => {
      const key = unsettled.current.get(fingerprint) ?? newIdempotencyKey()
      unsettled.current.set(fingerprint, key)
      return key
    },
    settle: (fingerprint: string): void => {
      unsettled.current.delete(fingerprint)
    },
  }
}
