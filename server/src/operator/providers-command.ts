/** `kinora providers`: accounts at AI providers in use, whether each answers and takes its key, its last failure. */
import { providerHealth } from '../admin/provider-health.ts'
import { openApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { openHttpClient } from '../net/http-client.ts'
import { readArguments } from '../process/command-arguments.ts'
import { openLog } from '../process/log.ts'
import { offeredBy } from '../provider/offered.ts'
import type { OpenProvider } from '../provider/open.ts'

const CHECK_TIMEOUT_S = 10

/** `isKeyRefused`: nothing works with this key. */
export type AccountCheck = { state: string; isKeyRefused: boolean; isReachable: boolean }

/** Checks the key where the provider has a call for it that costs nothing; otherwise whether its address answers. */
export async function checkAccount({
  checkKey,
  readBalance,
  url,
}: Pick<OpenProvider, 'checkKey' | 'readBalance' | 'url'>): Promise<AccountCheck> {
  if (!checkKey) return checkAddress(url)
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_S * 1000)
  const [check, left] = await Promise.all([checkKey({ signal }), readBalance?.({ signal })])
  if (check === null) return { state: 'does not answer', isKeyRefused: false, isReachable: false }
  if (check.kind === 'refused') {
    return { state: `refuses the key: ${check.reason}`, isKeyRefused: true, isReachable: true }
  }
  const balance = left && (left.kind === 'told' ? `, ${left.amount} ${left.unit} left` : `; balance: ${left.reason}`)
  return { state: `takes the key${balance ?? ''}`, isKeyRefused: false, isReachable: true }
}

/** Any response counts: few providers have a page at this address. */
async function checkAddress(url: string): Promise<AccountCheck> {
  const client = openHttpClient(CHECK_TIMEOUT_S)
  const result = await client.call('GET', url, { headers: {} })
  await client.close()
  const isReachable = result.kind === 'response'
  return { state: isReachable ? 'answers' : `does not answer: ${result.reason}`, isKeyRefused: false, isReachable }
}

/** An address without the credentials that it may have before its host or after a question mark. */
export function shownUrl(url: string): string {
  const { origin, pathname } = URL.parse(url) ?? { origin: 'no address', pathname: '' }
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** @returns the exit status: 1 when an account cannot be reached or refuses its key */
export async function providersCommand(config: Config, args: string[]): Promise<number> {
  readArguments('providers', { args })
  const app = await openApp(config, openLog(config))
  try {
    const { providers } = await providerHealth(app)
    const rows = await Promise.all(
      app.providers.ids.map(async (id) => {
        const provider = await app.providers.open(id)
        if (!provider) return null
        const { lastFailureAt, lastFailureReason } = providers.find((each) => each.id === id) ?? {}
        const check = await checkAccount(provider)
        return { id, adapter: config.providers[id]?.adapter ?? '', provider, check, lastFailureAt, lastFailureReason }
      }),
    )
    const found = rows.filter((row) => row !== null)
    for (const { id, adapter, provider, check, ...row } of found) {
      const failure = row.lastFailureAt
        ? `${row.lastFailureAt.toISOString()} ${row.lastFailureReason ?? ''}`
        : 'none of the last day'
      console.log(`${id}${adapter === id ? '' : ` (${adapter})`} – ${shownUrl(provider.url)} – ${check.state}`)
      const offered = Object.entries(offeredBy(provider)).map(([what, value]) => `${what}: ${value}`)
      console.log(`  ${offered.join(' · ')}\n  last failure: ${failure}`)
    }
    return found.every(({ check }) => check.isReachable && !check.isKeyRefused) ? 0 : 1
  } finally {
    await app.close()
  }
}
