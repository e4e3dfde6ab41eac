/** Passes the time in which a revoked credential may still work, or in which a valid one is cached. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

/**
 * Sends requests until one is refused. Asserts that no request is accepted that was sent later than a second after this
 * call.
 * @param status sends one and returns its status
 * @param refusal the status that refuses: of a team that one has left it is 404
 */
export async function assertRefusedWithinASecond(status: () => Promise<number>, refusal = 401): Promise<void> {
  const startMs = performance.now()
  for (;;) {
    const ageMs = performance.now() - startMs
    if ((await status()) === refusal) return
    assert.ok(ageMs < 1_000, `accepted ${Math.round(ageMs)} ms after the revocation`)
  }
}

/** Moves the monotonic clock past the cache's TTL of 30 s, until the test ends. */
export function expireCredentialCache(context: TestContext): void {
  const { now } = performance
  context.mock.method(performance, 'now', () => now.call(performance) + 30_001)
}

/** Stops the monotonic clock until the test ends. @returns the function that moves it on */
export function holdMonotonicClock(context: TestContext): (ms: number) => void {
  let nowMs = performance.now()
  context.mock.method(performance, 'now', () => nowMs)
  return (ms) => {
    nowMs += ms
  }
}
