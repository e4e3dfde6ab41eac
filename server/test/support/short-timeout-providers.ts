/**
 * Provider clients with a timeout of one second, only for tests of a provider that does not respond: on a machine that
 * stalls for a second every provider would time out.
 */
import type { TestContext } from 'node:test'
import { openProviders } from '../../src/provider/open.ts'
import type { Kinora } from './harness.ts'

const TIMEOUT_S = 1

/** Replaces the app's providers until the test ends. */
export function useShortTimeouts(t: TestContext, { app }: Kinora): void {
  const usual = app.providers
  const settings = Object.entries(app.config.providers).map(([name, each]) => [name, { ...each, timeoutS: TIMEOUT_S }])
  const short = openProviders(Object.fromEntries(settings))
  app.providers = short
  t.after(async () => {
    app.providers = usual
    await short.close()
  })
}
