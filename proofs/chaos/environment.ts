/** The settings of the API processes and workers of a run with real processes. */
import path from 'node:path'
import { secrets } from '../../server/test/support/payment/payment-delivery.ts'
import { vendorAccounts } from '../vendors.ts'

export const environment = (run: {
  root: string
  dataDir: string
  databaseUrl: string
  publicUrl: string
  providerUrl: string
}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: path.join(run.root, 'cache'),
  DATABASE_URL: run.databaseUrl,
  DATABASE_CONNECTIONS: '6',
  DATA_DIR: run.dataDir,
  HOST: '127.0.0.1',
  PUBLIC_URL: run.publicUrl,
  AUTH_SECRET: 'chaos auth secret of thirty-two bytes or more',
  AI_CALLBACK_SECRET: 'chaos callback secret of thirty-two bytes',
  PROVIDER_A_URL: `${run.providerUrl}/provider-a`,
  PROVIDER_A_API_KEY: 'key-a',
  PROVIDER_B_URL: `${run.providerUrl}/provider-b`,
  PROVIDER_B_API_KEY: 'key-b',
  PROVIDER_SIMULATOR_URL: run.providerUrl,
  ...Object.fromEntries(vendorAccounts.map((id) => [`PROVIDER_${id.toUpperCase()}_API_KEY`, 'simulator'])),
  PROVIDER_TIMEOUT: '10s',
  PAYMENT_A_URL: 'http://127.0.0.1:9',
  PAYMENT_A_API_KEY: 'key-a',
  PAYMENT_A_WEBHOOK_SECRET: secrets['payment-a'],
  PAYMENT_B_URL: 'http://127.0.0.1:9',
  PAYMENT_B_API_KEY: 'key-b',
  PAYMENT_B_WEBHOOK_SECRET: secrets['payment-b'],
  RECONCILE_EVERY: 'off',
  FETCH_ALLOW: new URL(run.providerUrl).host,
  RATE_LIMITS: 'off',
  GIFTS_PER_NETWORK: '0',
  LOG_LEVEL: 'error',
})
