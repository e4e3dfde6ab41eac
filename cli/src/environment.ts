/**
 * The settings that the server and the simulator are started with: what the operator has set, and for the rest what makes
 * a machine of one's own work at once. In production nothing is added that the operator has to decide.
 */
import { keptSecrets } from './secrets.ts'

export const ADMIN_EMAIL = 'admin@kinora.local'

export type Place = {
  dataDir: string
  databaseUrl: string
  /** null: no simulator. */
  simulatorPort: number | null
}

export function isProduction(env: NodeJS.ProcessEnv): boolean {
  return env.NODE_ENV === 'production'
}

/** The simulator stands in for every provider that has no address. */
export function needsSimulator(env: NodeJS.ProcessEnv): boolean {
  return !isProduction(env) && !(env.PROVIDER_A_URL?.trim() && env.PROVIDER_B_URL?.trim())
}

/** @returns a whole environment for a child; what `given` sets wins over everything made up */
export function serverEnvironment(given: NodeJS.ProcessEnv, place: Place): NodeJS.ProcessEnv {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()))
  const always = {
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    // Compiled code is kept between starts: it halves the time until the server is ready.
    NODE_COMPILE_CACHE: given.NODE_COMPILE_CACHE ?? `${place.dataDir}/cache`,
  }
  if (isProduction(given)) return { ...set, ...always }
  return {
    ADMIN_EMAIL,
    ...withPayments(keptSecrets(place.dataDir), set, place),
    ...localAddresses(set, place),
    ...set,
    ...always,
    ...allowed(set, place),
  }
}

function localAddresses(set: NodeJS.ProcessEnv, { simulatorPort }: Place): NodeJS.ProcessEnv {
  const addresses: NodeJS.ProcessEnv = {
    // Not the public address: the simulator runs on this machine, where that one may not even resolve.
    AI_CALLBACK_URL: `http://${ownHost(set.HOST)}:${set.PORT ?? 8080}/api/v1/video/callback`,
  }
  if (simulatorPort !== null) {
    addresses.PROVIDER_A_URL = `http://127.0.0.1:${simulatorPort}/provider-a`
    addresses.PROVIDER_B_URL = `http://127.0.0.1:${simulatorPort}/provider-b`
  }
  return addresses
}

/**
 * The simulator plays both payment processors too, and is told where to report. A processor that the operator has begun to
 * configure is left to the operator: a made-up key beside a real address would only fail later.
 */
function withPayments(
  secrets: Record<string, string>,
  set: NodeJS.ProcessEnv,
  { simulatorPort }: Place,
): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = { ...secrets }
  const own = `http://${ownHost(set.HOST)}:${set.PORT ?? 8080}`
  const webhooks = { PAYMENT_A: '/api/auth/payment-a/webhook', PAYMENT_B: '/api/webhooks/payment-b' }
  for (const [prefix, webhook] of Object.entries(webhooks)) {
    const isBegun = Object.keys(set).some((name) => name.startsWith(`${prefix}_`))
    if (simulatorPort === null || isBegun) {
      delete result[`${prefix}_API_KEY`]
      delete result[`${prefix}_WEBHOOK_SECRET`]
    } else {
      result[`${prefix}_URL`] = `http://127.0.0.1:${simulatorPort}/${prefix.toLowerCase().replace('_', '-')}`
      result[`${prefix}_WEBHOOK_URL`] = own + webhook
    }
  }
  return result
}

/** The simulator's films come from a private address, which the server does not touch unless it is named. */
function allowed(set: NodeJS.ProcessEnv, { simulatorPort }: Place): NodeJS.ProcessEnv {
  if (simulatorPort === null) return {}
  return { FETCH_ALLOW: [set.FETCH_ALLOW, `127.0.0.1:${simulatorPort}`].filter(Boolean).join(',') }
}

/** Where this machine reaches a server that listens on `host`. */
export function ownHost(host: string | undefined): string {
  if (!host || ['0.0.0.0', '::', '[::]', 'localhost'].includes(host)) return '127.0.0.1'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
