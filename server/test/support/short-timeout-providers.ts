/**
 * Provider clients with a timeout of one second, only for tests of a provider that does not respond: on a machine that stalls
 * for a second every provider would time out.
 */
import type { TestContext } from 'node:test'
import { openProviders } from '../../src/provider/open.ts'
import type { Kinora } from './harness.ts'

const TIMEOUT_S = 1

/** Replaces the app's providers until the test ends. */
export async function useShortTimeouts(t: TestContext, { app }: Kinora): Promise<void> {
  const usual = new Map(app.providers)
  const settings = Object.entries(app.config.providers).map(([name, each]) => [name, { ...each, timeoutS: TIMEOUT_S }])
  const short = await openProviders(Object.fromEntries(settings))
  for (const [name, provider] of short) app.providers.set(name, provider)
  t.after(async () => {
    for (const [name, provider] of usual) app.providers.set(name, provider)
    await Promise.all([...short.values()].map((provider) => provider.close()))
  })
}
