/** Lets the cache of authenticated credentials expire, for tests of a revocation, which takes effect after its TTL of 5 s. */
import type { TestContext } from 'node:test'

/** Moves the monotonic clock past the TTL, until the test ends. */
export function expireCredentialCache(context: TestContext): void {
  const { now } = performance
  context.mock.method(performance, 'now', () => now.call(performance) + 5_001)
}
