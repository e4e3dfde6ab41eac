/** Providers with calls that a test answers itself, for calls that the scripted provider's protocols do not have. */
import type { TestContext } from 'node:test'
import type { App } from '../../src/app.ts'
import type { OpenProvider } from '../../src/provider/open.ts'

/** Every account answers these calls by the given functions until the test ends. Undefined functions are missing. */
export function providersWith(
  t: TestContext,
  app: App,
  calls: { [K in keyof OpenProvider]?: OpenProvider[K] | undefined },
): void {
  const { providers } = app
  const own = originals.get(app) ?? providers
  originals.set(app, own)
  app.providers = {
    ...providers,
    open: async (id) => {
      const provider = await providers.open(id)
      return provider && ({ ...provider, ...calls } as typeof provider)
    },
  }
  t.after(() => {
    app.providers = own
  })
}

/** A test's functions end in any order. */
const originals = new WeakMap<App, App['providers']>()
