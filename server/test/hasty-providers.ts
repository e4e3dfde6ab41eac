/**
 * Providers that are given up on after a second, for tests of a silent provider. For those alone: on a machine that stands
 * still for a second every provider would seem silent.
 */
import type { TestContext } from 'node:test'
import { openProviders } from '../src/provider/open.ts'
import type { Kinora } from './harness.ts'

const TIMEOUT_S = 1

/** Puts them in the place of the usual ones until the test ends. */
export async function useHastyProviders(t: TestContext, { app }: Kinora): Promise<void> {
  const usual = new Map(app.providers)
  const settings = Object.entries(app.config.providers).map(([name, each]) => [name, { ...each, timeoutS: TIMEOUT_S }])
  const hasty = await openProviders(Object.fromEntries(settings))
  for (const [name, provider] of hasty) app.providers.set(name, provider)
  t.after(async () => {
    for (const [name, provider] of usual) app.providers.set(name, provider)
    await Promise.all([...hasty.values()].map((provider) => provider.close()))
  })
}
