/** Idempotency keys: made, and kept for a request until its outcome is known. */

/**
 * A new value for the header `Idempotency-Key`: 32 hexadecimal digits. Not `crypto.randomUUID`, which browsers offer in
 * secure contexts only, and a service in a home network is often served over plain http.
 */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The keys of requests whose outcome is unknown, such as those whose response was lost. */
export type IdempotencyKeys = {
  /**
   * The key of the request: the same one for an equal request (as JSON) until `settle`, so that a retry is a replay.
   */
  keyOf: (request: unknown) => string
  /** Call when the outcome is known, whether success or a final error: the next equal request gets a new key. */
  settle: (request: unknown) => void
}

export function openIdempotencyKeys(): IdempotencyKeys {
  const keys = new Map<string, string>()
  return {
    keyOf: (request) => {
      const json = JSON.stringify(request)
      const key = keys.get(json) ?? newIdempotencyKey()
      keys.set(json, key)
      return key
    },
    settle: (request) => keys.delete(JSON.stringify(request)),
  }
}
