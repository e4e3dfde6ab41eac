/**
 * The environment of the server and the simulator: the operator's settings, and defaults that make a local installation
 * work without any. In production no default replaces a setting that is the operator's decision.
 */
import type { DatabaseUrls } from './database/database.ts'
import { processors } from './processors.ts'
import { loadSecrets } from './secrets.ts'

export const ADMIN_EMAIL = 'admin@kinora.local'

/** The local services that the child processes connect to. */
export type LocalServices = {
  dataDir: string
  /** null: the operator's own database, of which the settings are in the environment. */
  database: DatabaseUrls | null
  /** null: no simulator runs. */
  simulatorPort: number | null
}

export function isProduction(env: NodeJS.ProcessEnv): boolean {
  return env.NODE_ENV === 'production'
}

/** The simulator replaces provider-a and provider-b without a URL, each with the key `simulator`. */
export function needsSimulator(env: NodeJS.ProcessEnv): boolean {
  if (isProduction(env)) return false
  const isKeyOfOne = Object.entries(env).some(([name, key]) => PROVIDER_KEY.test(name) && key?.trim() === SIMULATED)
  return isKeyOfOne || !(env.PROVIDER_A_URL?.trim() && env.PROVIDER_B_URL?.trim())
}

const PROVIDER_KEY = /^PROVIDER_\w+_API_KEY(_FILE)?$/
const SIMULATED = 'simulator'

/** @returns the complete environment of a child; the settings of `operatorEnv` take precedence over defaults */
export function serverEnvironment(operatorEnv: NodeJS.ProcessEnv, services: LocalServices): NodeJS.ProcessEnv {
  const settings = Object.fromEntries(Object.entries(operatorEnv).filter(([, value]) => value?.trim()))
  const fixed = {
    DATA_DIR: services.dataDir,
    ...databaseUrls(services.database),
    // V8's compile cache, kept between starts, halves the time until the server is ready.
    NODE_COMPILE_CACHE: operatorEnv.NODE_COMPILE_CACHE ?? `${services.dataDir}/cache`,
  }
  if (isProduction(operatorEnv)) return { ...settings, ...fixed }
  return {
    ADMIN_EMAIL,
    ...withSimulatedPayments(simulatorKeys(loadSecrets(services.dataDir), settings), settings, services),
    ...providerAddresses(settings, services),
    ...settings,
    ...fixed,
    ...fetchAllowlist(settings, services),
  }
}

const EMBEDDED_IN_PRODUCTION =
  'DATABASE_URL is not set: the books are kept in the embedded PostgreSQL, on this machine alone. Back them up with ' +
  'kinora backup, or set DATABASE_URL to a server that is backed up.\n'

export function warnOfEmbeddedDatabase(env: NodeJS.ProcessEnv): void {
  if (isProduction(env) && !hasOwnDatabase(env)) process.stderr.write(EMBEDDED_IN_PRODUCTION)
}

/** Whether the operator has set a database, instead of the embedded one. */
export function hasOwnDatabase(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.DATABASE_URL?.trim() || env.DATABASE_URL_FILE?.trim())
}

export function databaseUrls(database: DatabaseUrls | null): NodeJS.ProcessEnv {
  return database ? { DATABASE_URL: database.serviceUrl, DATABASE_URL_DIRECT: database.ownerUrl } : {}
}

function providerAddresses(settings: NodeJS.ProcessEnv, { simulatorPort }: LocalServices): NodeJS.ProcessEnv {
  if (simulatorPort === null) return {}
  const addresses: NodeJS.ProcessEnv = {
    PROVIDER_A_URL: `http://127.0.0.1:${simulatorPort}/provider-a`,
    PROVIDER_B_URL: `http://127.0.0.1:${simulatorPort}/provider-b`,
    PROVIDER_SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
  }
  // Not PUBLIC_URL: the simulator calls back from this machine, on which the public name may not resolve. The
  // operator's own provider cannot reach loopback, and there is one address for all.
  const isSimulatorAlone = !Object.entries(settings).some(([name, value]) => isOfRealProvider(name, value))
  if (isSimulatorAlone) addresses.AI_CALLBACK_URL = `${serverUrl(settings)}/api/v1/video/callback`
  return addresses
}

/** provider-a and provider-b may have an operator's key for the simulator; other keys are for a public address. */
const isOfRealProvider = (name: string, value: string | undefined): boolean =>
  /^PROVIDER_(?!SIMULATOR_)\w+_URL$/.test(name) ||
  (PROVIDER_KEY.test(name) && !/^PROVIDER_[AB]_/.test(name) && value !== SIMULATED)

/**
 * A generated key is shared with the simulator alone. Beside the operator's own URL, a generated webhook key would make
 * the server refuse every callback of that provider, and the provider would refuse a generated API key.
 */
function simulatorKeys(secrets: Record<string, string>, settings: NodeJS.ProcessEnv): Record<string, string> {
  const isSimulated = (name: string) => {
    const [, prefix] = /^(PROVIDER_[A-Z]+)_/.exec(name) ?? []
    return prefix === undefined || settings[`${prefix}_URL`] === undefined
  }
  // The operator's secret may be in a file.
  const isGenerated = (name: string) => isSimulated(name) && settings[`${name}_FILE`] === undefined
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => isGenerated(name)))
}

/**
 * The simulator stands in for the payment processors too, and sends webhooks to the server. A processor with any
 * setting by the operator gets no defaults: a generated key beside a real URL would fail later.
 */
function withSimulatedPayments(
  secrets: Record<string, string>,
  settings: NodeJS.ProcessEnv,
  { simulatorPort }: LocalServices,
): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = { ...secrets }
  for (const { name, prefix, webhookPath } of processors) {
    const isConfigured = Object.keys(settings).some((each) => each.startsWith(`${prefix}_`))
    if (simulatorPort === null || isConfigured) {
      delete result[`${prefix}_API_KEY`]
      delete result[`${prefix}_WEBHOOK_SECRET`]
    } else {
      result[`${prefix}_URL`] = `http://127.0.0.1:${simulatorPort}/${name}`
      result[`${prefix}_WEBHOOK_URL`] = serverUrl(settings) + webhookPath
    }
  }
  return result
}

/**
 * The simulator serves its films from a loopback address, which the server's SSRF guard blocks unless it is allowed.
 */
function fetchAllowlist(settings: NodeJS.ProcessEnv, { simulatorPort }: LocalServices): NodeJS.ProcessEnv {
  if (simulatorPort === null) return {}
  return { FETCH_ALLOW: [settings.FETCH_ALLOW, `127.0.0.1:${simulatorPort}`].filter(Boolean).join(',') }
}

/** The server's URL for processes on this machine. The server reports a wrong PORT, not a child. */
function serverUrl({ HOST, PORT }: NodeJS.ProcessEnv): string {
  const url = `http://${reachableHost(HOST)}:${PORT ?? 8080}`
  return URL.canParse(url) ? url : `http://${reachableHost(undefined)}:8080`
}

function reachableHost(host: string | undefined): string {
  if (!host || ['0.0.0.0', '::', '[::]', 'localhost'].includes(host)) return '127.0.0.1'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
