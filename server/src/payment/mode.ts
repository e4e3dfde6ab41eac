/** The mode of an API key, test or live, so that an event of the other mode is refused. */
import type { PaymentSettings } from '../config/config.ts'
import type { Mode } from './effect.ts'
import type { Processor } from './plans.ts'

/**
 * The mode of the API key in the settings; null when it does not show, as for a key of the simulator. payment-b's keys begin with
 * `sk_test_`, `rk_test_`, `sk_live_` or `rk_live_`, payment-a's with `creem_test_` or `creem_`; payment-a's test API has a host of
 * its own too. A webhook secret shows no mode.
 */
export function modeOf(processor: Processor, settings: PaymentSettings | null): Mode | null {
  if (!settings) return null
  const { apiKey, url } = settings
  if (processor === 'payment-b') {
    const [, mode] = /^[sr]k_(test|live)_/.exec(apiKey) ?? []
    return (mode as Mode | undefined) ?? null
  }
  if (apiKey.startsWith('creem_test_')) return 'test'
  if (apiKey.startsWith('creem_')) return 'live'
  return hosts[URL.parse(url)?.hostname ?? ''] ?? null
}

const hosts: Record<string, Mode> = { 'test-api.creem.io': 'test', 'api.creem.io': 'live' }
