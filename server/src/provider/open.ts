/** Loads the adapter adapter/<name>.ts of every configured provider. */
import { pathToFileURL } from 'node:url'
import { ConfigError, type ProviderSettings } from '../config/config.ts'
import { codeFile } from '../config/package-dir.ts'
import type { Provider } from './provider.ts'

type Adapter = { openProvider: (settings: ProviderSettings) => Provider }

/** @throws ConfigError when a configured provider has no adapter */
export async function openProviders(settings: Record<string, ProviderSettings>): Promise<Map<string, Provider>> {
  const providers = new Map<string, Provider>()
  for (const [name, each] of Object.entries(settings)) {
    const url = pathToFileURL(codeFile(`provider/adapter/${name}`)).href
    const adapter: Adapter = await import(url).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new ConfigError([`There is no adapter server/src/provider/adapter/${name}.ts for the provider "${name}"`])
    })
    providers.set(name, adapter.openProvider(each))
  }
  return providers
}
