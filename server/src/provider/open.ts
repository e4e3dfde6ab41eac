/**
 * The provider accounts in use. The module adapter/<name>.ts of an account is imported when the account is first used:
 * start-up and idle memory do not grow with the number of adapters.
 */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ConfigError, type ProviderSettings } from '../config/config.ts'
import { codeFile } from '../config/package-dir.ts'
import type { Adapter, Provider } from './provider.ts'
import { openTestAccount, TEST_ACCOUNT, TEST_CAPABILITIES } from './test-account.ts'

/**
 * An account that is open, with what its adapter declares. `url`: the address of its calls. `resultHeaders`: sent with
 * the request for a film, by the origin of its link. `limits`: over all workers; undefined: none.
 */
export type OpenProvider = Provider & {
  adapter: Adapter
  url: string
  resultHeaders: Record<string, Record<string, string>>
  /** Whether a task may name this callback address; without one its task is polled. */
  takesCallback: (url: string) => boolean
  limits: Pick<ProviderSettings, 'concurrency' | 'submitsPer'>
}

export type Providers = {
  /** Those with settings; not that of test keys. */
  ids: readonly string[]
  has: (id: string) => boolean
  /** Null: the account has no settings any more. */
  open: (id: string) => Promise<OpenProvider | null>
  close: () => Promise<void>
}

/**
 * @param now the clock of the account of test keys
 * @throws ConfigError when a configured account has no adapter
 */
export function openProviders(settings: Record<string, ProviderSettings>, now = () => new Date()): Providers {
  const problems = Object.entries(settings).flatMap(([id, { adapter }]) =>
    existsSync(fileOf(adapter))
      ? []
      : [`There is no adapter server/src/provider/adapter/${adapter}.ts for the provider account "${id}"`],
  )
  if (problems.length > 0) throw new ConfigError(problems)
  const opened = new Map<string, Promise<OpenProvider>>()
  const provider = openTestAccount(now)
  const test = {
    ...provider,
    adapter: { capabilities: TEST_CAPABILITIES, url: null, open: () => provider },
    ...{ url: '', resultHeaders: {}, takesCallback: () => false, limits: {} },
  }
  return {
    ids: Object.keys(settings),
    has: (id) => Object.hasOwn(settings, id),
    open: async (id) => {
      if (id === TEST_ACCOUNT) return test
      const account = Object.hasOwn(settings, id) ? settings[id] : undefined
      if (!account) return null
      const provider =
        opened.get(id) ??
        // A failed import, as without file descriptors, is not kept.
        openAccount(id, account).catch((error: unknown) => {
          opened.delete(id)
          throw error
        })
      opened.set(id, provider)
      return provider
    },
    close: async () => {
      await Promise.all([...opened.values()].map(async (provider) => (await provider).close()))
    },
  }
}

async function openAccount(id: string, { adapter: name, ...settings }: ProviderSettings): Promise<OpenProvider> {
  const adapter = await loadAdapter(name)
  const { resultHeaders = {}, concurrency, submitsPer } = settings
  const limits = { ...(concurrency && { concurrency }), ...(submitsPer && { submitsPer }) }
  const url = settings.url ?? adapter.url ?? ''
  // A server of one's own takes http.
  const isAnyTaken = adapter.capabilities.callbackOver !== 'https' || url !== adapter.url
  const takesCallback = (address: string) => isAnyTaken || address.startsWith('https:')
  return { ...adapter.open({ ...settings, id, url }), adapter, url, resultHeaders, takesCallback, limits }
}

export async function loadAdapter(name: string): Promise<Adapter> {
  const { adapter }: { adapter: Adapter } = await import(pathToFileURL(fileOf(name)).href)
  return adapter
}

const fileOf = (adapter: string): string => codeFile(`provider/adapter/${adapter}`)
