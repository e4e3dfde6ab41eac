/**
 * The settings, read from the environment and validated once; no other module of the server reads the environment. All
 * problems are reported together, so that an operator fixes them in one go. One file, although it is long: a setting is its type
 * and its reading, side by side.
 */
import { hkdfSync } from 'node:crypto'
import { hostname } from 'node:os'
import path from 'node:path'
import { type BackupSettings, readBackupSettings } from './backup-settings.ts'
import { type MailSettings, readMailSettings } from './mail-settings.ts'
import { packageDir } from './package-dir.ts'
import { productionProblems } from './production-settings.ts'
import { withSecretFiles } from './secret-settings.ts'
import {
  type CaptchaSettings,
  type GiftSettings,
  readCaptchaSettings,
  readGiftSettings,
  readSignInSettings,
  type SignInSettings,
} from './sign-in-settings.ts'
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts'

/** A payment processor's settings; null in `Config` when none of them is set, which disables the processor. */
export type PaymentSettings = { url: string; apiKey: string; webhookSecret: string }
export type ProviderSettings = { url: string; apiKey: string; webhookKey: string | null; timeoutS: number }

export type S3Settings = {
  bucket: string
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
  /** The origin of a CDN in front of the bucket, to which readers are sent; null or left out: to the bucket. */
  filesUrl?: string | null
}

/** How long data is kept, in seconds; null: for ever. */
export type Retention = {
  /** The files of deleted videos, from the deletion; 0: until the next sweep. */
  deletedS: number | null
  /** The files of all videos, from the completion. */
  filmsS: number | null
  /** Sessions and verifications, from their end. */
  sessionsS: number | null
  verificationsS: number | null
  /** Which video a provider's task belongs to. */
  providerTasksS: number | null
  /** The bodies of payment events that are applied or ignored. */
  paymentBodiesS: number | null
  videoLogsS: number | null
  /** Deliveries of webhooks, from the event. */
  webhookDeliveriesS: number | null
  /** Messages of the outbox. */
  mailsS: number | null
  /** Keyed hashes of e-mail addresses that had the new-user gift. */
  giftAddressesS: number | null
}

export type Config = {
  production: boolean
  port: number
  host: string
  /** The service's URL for clients, without a trailing slash. */
  publicUrl: string
  dataDir: string
  /** The folder of the built studio. */
  studioDir: string
  databaseUrl: string
  /** For migrations: a role that owns the tables, and no pooler in between. The same as `databaseUrl` unless it is set. */
  databaseUrlDirect: string
  /** Of a distributed database; null: it is none. `node`: the address of the node whose videos this worker claims, null: of all. */
  distributed: { node: string | null } | null
  /** What `databaseUrl` leads to: PostgreSQL, or a pooler in transaction mode. */
  databasePooler: 'off' | 'transaction'
  databaseConnections: number
  /** Whether the operator has chosen that number; else several API processes have fewer each. */
  areConnectionsChosen: boolean
  s3: S3Settings | null
  backup: BackupSettings
  authSecret: string
  admin: { email: string; password: string } | null
  /** Seconds without a request after which a session ends; null: only its expiry ends it. */
  sessionIdleS: number | null
  /** OpenID providers. */
  signIn: SignInSettings
  /** What sign-up asks for; null: nothing. */
  captcha: CaptchaSettings | null
  newUserCredits: number
  newUserCreditsDays: number
  gift: GiftSettings
  /** The base URL of provider callbacks, to which the provider's name is appended. */
  callbackUrl: string
  callbackSecret: string
  /** By the provider's name in the catalogue, those with settings: `provider-a` is configured by PROVIDER_A_URL and so on. */
  providers: Record<string, ProviderSettings>
  payments: Record<'payment-a' | 'payment-b', PaymentSettings | null>
  /** How far back payments are compared with the processors' accounts, and how often; null: by command only. */
  reconcile: { days: number; intervalS: number | null }
  fileUrlTtlS: number
  retention: Retention
  refundGraceS: number
  /** The size limit of a film that is downloaded from a provider. */
  filmBytesMax: number
  /** The SSRF guard's allowlist for results of providers: `host:port` of private addresses that may be fetched. */
  fetchAllow: string[]
  /** The SSRF guard's allowlist for the webhooks of users, in the same form. */
  webhookAllow: string[]
  /** How long an attempt of a webhook may take. */
  webhookTimeoutS: number
  mail: MailSettings
  /** Kinora fetches the start images of users' links itself, and providers get its own links; otherwise providers fetch them. */
  inlineStartImage: boolean
  rateLimits: boolean
  /** Where the counters are: in the memory of the process (of the primary, with several), or in PostgreSQL. */
  rateLimitStore: 'memory' | 'postgresql'
  /** The limit of a user's videos in progress; 0: unlimited. */
  maxInProgress: number
  metricsPort: number | null
  /** Where spans are sent; null: tracing is off. */
  tracing: TracingSettings | null
  logLevel: string
  /** The number of trusted reverse proxies, each of which appends its client's address to X-Forwarded-For; 0: none. */
  trustedProxies: number
  workerConcurrency: number
  /** Whether the service starts where native code in the decoder has a way out; `off`: limits only. */
  mediaSandbox: 'auto' | 'required' | 'off'
  /** Host name and process id: names the process's connections in `pg_stat_activity`. */
  processName: string
  /** The crash point (fault injection) at which the process kills itself: for crash tests, ignored in production. */
  crashAt: string | null
}

export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`Kinora cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** A use is noted every half minute, the TTL of cached credentials: a shorter timeout would end sessions in use. */
const SESSION_IDLE_MIN_S = 300
const SECRET_BYTES_MIN = 24
/** A worker's lease on an endpoint covers its last request. */
const WEBHOOK_TIMEOUT_MAX_S = 30
const PAYMENT_A_URL = 'https://api.creem.io'
const PAYMENT_B_URL = 'https://api.stripe.com'
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * @param providerNames the providers of the catalogue, one of which must have settings
 * @throws ConfigError that names every missing or wrong setting
 */
export function readConfig(given: Record<string, string | undefined>, providerNames: readonly string[]): Config {
  const problems: string[] = []
  const env = withSecretFiles(given, problems)
  const production = env.NODE_ENV === 'production'

  const text = (name: string, fallback?: string): string => {
    const value = env[name]?.trim()
    if (value) return value
    if (fallback === undefined) problems.push(`${name} is not set`)
    return fallback ?? ''
  }
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = env[name]?.trim()
    if (!value) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
    return fallback
  }
  const url = (name: string, fallback?: string): string => {
    const value = text(name, fallback)
    if (value && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) problems.push(`${name} must be an http(s) URL`)
    return value.replace(/\/+$/, '')
  }
  const boolean = (name: string, fallback: boolean): boolean => {
    const value = env[name]?.trim().toLowerCase()
    if (!value) return fallback
    if (['on', 'true', '1', 'yes'].includes(value)) return true
    if (['off', 'false', '0', 'no'].includes(value)) return false
    problems.push(`${name} must be on or off, not "${value}"`)
    return fallback
  }
  // Required everywhere; the minimum length is enforced in production only.
  const secret = (name: string): string => {
    const value = text(name)
    if (production && value && Buffer.byteLength(value) < SECRET_BYTES_MIN) {
      problems.push(`${name} is shorter than ${SECRET_BYTES_MIN} bytes; make one with: openssl rand -base64 32`)
    }
    return value
  }
  const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
    const value = env[name]?.trim().toLowerCase() || values[0]
    const found = values.find((each) => each === value)
    if (!found) problems.push(`${name} must be one of ${values.join(', ')}, not "${value}"`)
    return found ?? values[0]
  }
  const apiKey = (name: string): string => (production ? text(name) : text(name, ''))

  const kept = (name: string, fallback: string, { zero = false, atLeastS = 0 } = {}): number | null => {
    const value = env[name]?.trim() || fallback
    if (value === 'forever') return null
    if (zero && value === '0') return 0
    const seconds = parseDuration(name, value, atLeastS || 1, problems)
    if (seconds < atLeastS) problems.push(`${name} must be at least ${atLeastS / 86_400}d, not "${value}"`)
    return seconds
  }

  const provider = (name: string): [string, ProviderSettings][] => {
    const prefix = settingsPrefix(name)
    if (!['URL', 'API_KEY', 'WEBHOOK_KEY'].some((each) => env[`${prefix}_${each}`]?.trim())) return []
    const settings = {
      url: url(`${prefix}_URL`),
      apiKey: apiKey(`${prefix}_API_KEY`),
      webhookKey: env[`${prefix}_WEBHOOK_KEY`]?.trim() || null,
      timeoutS: parseDuration('PROVIDER_TIMEOUT', env.PROVIDER_TIMEOUT, 30, problems),
    }
    return [[name, settings]]
  }

  const payment = (prefix: string, defaultUrl: string): PaymentSettings | null => {
    const names = ['URL', 'API_KEY', 'WEBHOOK_SECRET'].map((name) => `${prefix}_${name}`)
    if (!names.some((name) => env[name]?.trim())) return null
    return {
      url: url(`${prefix}_URL`, defaultUrl),
      apiKey: text(`${prefix}_API_KEY`),
      webhookSecret: secret(`${prefix}_WEBHOOK_SECRET`),
    }
  }

  const port = integer('PORT', 8080, 0, 65535)
  const publicUrl = url('PUBLIC_URL', `http://localhost:${port}`)
  const config: Config = {
    production,
    port,
    host: text('HOST', '0.0.0.0'),
    publicUrl,
    dataDir: path.resolve(text('DATA_DIR', '.kinora')),
    studioDir: path.resolve(text('STUDIO_DIR', path.join(packageDir, '../studio/dist'))),
    databaseUrl: text('DATABASE_URL'),
    databaseUrlDirect: text('DATABASE_URL_DIRECT', env.DATABASE_URL?.trim() ?? ''),
    distributed: null,
    databasePooler: oneOf('DATABASE_POOLER', ['off', 'transaction']),
    databaseConnections: integer('DATABASE_CONNECTIONS', 16, 1, 1000),
    areConnectionsChosen: Boolean(env.DATABASE_CONNECTIONS?.trim()),
    s3: env.S3_BUCKET?.trim()
      ? {
          bucket: text('S3_BUCKET'),
          endpoint: env.S3_ENDPOINT ? url('S3_ENDPOINT') : null,
          region: text('S3_REGION', 'us-east-1'),
          accessKeyId: text('S3_ACCESS_KEY_ID'),
          secretAccessKey: text('S3_SECRET_ACCESS_KEY'),
          forcePathStyle: boolean('S3_FORCE_PATH_STYLE', Boolean(env.S3_ENDPOINT)),
          filesUrl: env.FILES_URL?.trim() ? url('FILES_URL') : null,
        }
      : null,
    backup: readBackupSettings({ env, text, url, integer, boolean }),
    authSecret: secret('AUTH_SECRET'),
    admin:
      env.ADMIN_EMAIL || env.ADMIN_PASSWORD ? { email: text('ADMIN_EMAIL'), password: text('ADMIN_PASSWORD') } : null,
    sessionIdleS:
      (env.SESSION_IDLE_TIMEOUT?.trim().toLowerCase() || 'off') === 'off'
        ? null
        : parseDuration('SESSION_IDLE_TIMEOUT', env.SESSION_IDLE_TIMEOUT, 0, problems),
    signIn: readSignInSettings(env, problems),
    captcha: readCaptchaSettings(env, problems),
    newUserCredits: integer('NEW_USER_CREDITS', 60, 0, 1_000_000),
    newUserCreditsDays: 30,
    gift: readGiftSettings(env, problems),
    callbackUrl: url('AI_CALLBACK_URL', `${publicUrl}/api/v1/video/callback`),
    callbackSecret: env.AI_CALLBACK_SECRET?.trim() ? secret('AI_CALLBACK_SECRET') : derivedCallbackSecret(env),
    providers: Object.fromEntries(providerNames.flatMap(provider)),
    payments: { 'payment-a': payment('PAYMENT_A', PAYMENT_A_URL), 'payment-b': payment('PAYMENT_B', PAYMENT_B_URL) },
    reconcile: {
      days: integer('RECONCILE_DAYS', 7, 1, 365),
      intervalS:
        env.RECONCILE_EVERY?.trim().toLowerCase() === 'off'
          ? null
          : parseDuration('RECONCILE_EVERY', env.RECONCILE_EVERY, 6 * 3600, problems),
    },
    fileUrlTtlS: parseDuration('FILE_URL_TTL', env.FILE_URL_TTL, 24 * 3600, problems),
    retention: {
      deletedS: kept('DELETED_KEPT', '30d', { zero: true }),
      filmsS: kept('KEEP_FILMS', 'forever'),
      sessionsS: kept('KEEP_SESSIONS', '7d'),
      verificationsS: kept('KEEP_VERIFICATIONS', '1d'),
      providerTasksS: kept('KEEP_PROVIDER_TASKS', '90d'),
      paymentBodiesS: kept('KEEP_PAYMENT_BODIES', '400d'),
      videoLogsS: kept('KEEP_VIDEO_LOGS', '180d'),
      // Their retries take three days.
      webhookDeliveriesS: kept('KEEP_WEBHOOK_DELIVERIES', '30d', { atLeastS: 4 * 86_400 }),
      mailsS: kept('KEEP_MAILS', '30d'),
      giftAddressesS: kept('KEEP_GIFT_ADDRESSES', '400d'),
    },
    filmBytesMax: integer('FILM_BYTES_MAX', 2 * 1024 ** 3, 1, 1024 ** 4),
    refundGraceS: parseDuration('REFUND_GRACE', env.REFUND_GRACE, 24 * 3600, problems),
    fetchAllow: entries(env.FETCH_ALLOW),
    webhookAllow: entries(env.WEBHOOK_ALLOW),
    webhookTimeoutS: parseDuration('WEBHOOK_TIMEOUT', env.WEBHOOK_TIMEOUT, 15, problems),
    mail: readMailSettings(env, problems),
    inlineStartImage: boolean('INLINE_START_IMAGE', false),
    rateLimits: boolean('RATE_LIMITS', true),
    rateLimitStore: parseRateLimitStore(env.RATE_LIMIT_STORE, problems),
    maxInProgress: integer('MAX_IN_PROGRESS', 20, 0, 1_000_000),
    metricsPort: env.METRICS_PORT?.trim() ? integer('METRICS_PORT', 0, 0, 65535) : null,
    tracing: readTracingSettings(env, problems),
    logLevel: text('LOG_LEVEL', 'info'),
    trustedProxies: parseTrustedProxies(env.TRUST_PROXY, problems),
    mediaSandbox: oneOf('MEDIA_SANDBOX', ['auto', 'required', 'off']),
    workerConcurrency: integer('WORKER_CONCURRENCY', 256, 1, 1000),
    processName: `${hostname()}-${process.pid}`,
    crashAt: production ? null : env.KINORA_CRASH_AT?.trim() || null,
  }
  if (config.sessionIdleS !== null && config.sessionIdleS < SESSION_IDLE_MIN_S) {
    problems.push('SESSION_IDLE_TIMEOUT must be off, or at least 5m')
  }
  if (providerNames.length > 0 && Object.keys(config.providers).length === 0) {
    const pairs = providerNames.map(settingsPrefix).map((prefix) => `${prefix}_URL and ${prefix}_API_KEY`)
    problems.push(`No AI provider is set up: set ${pairs.join(', or ')}`)
  }
  if (config.databasePooler === 'transaction' && !env.DATABASE_URL_DIRECT?.trim()) {
    problems.push(
      'DATABASE_POOLER=transaction needs DATABASE_URL_DIRECT, an address of PostgreSQL itself, for migrations',
    )
  }
  const { pathname = '/' } = URL.parse(env.FILES_URL?.trim() ?? '') ?? {}
  if (env.FILES_URL?.trim() && !config.s3) problems.push('FILES_URL is for films in S3: set S3_BUCKET')
  if (pathname !== '/') problems.push('FILES_URL must be an address without a path')
  if (config.webhookTimeoutS > WEBHOOK_TIMEOUT_MAX_S) problems.push('WEBHOOK_TIMEOUT must be at most 30s')
  if (!logLevels.includes(config.logLevel)) problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}`)
  for (const name of ['DATABASE_URL', 'DATABASE_URL_DIRECT']) {
    if (env[name]?.trim() && !/^postgres(ql)?:\/\//.test(env[name].trim())) {
      problems.push(`${name} must start with postgres:// or postgresql://`)
    }
  }
  for (const [name, allowed] of [
    ['FETCH_ALLOW', config.fetchAllow],
    ['WEBHOOK_ALLOW', config.webhookAllow],
  ] as const) {
    for (const entry of allowed) {
      if (!/^(\[[0-9a-f:.]+\]|[^\s:[\]]+):\d{1,5}$/i.test(entry)) {
        problems.push(`${name} must be host:port pairs with commas between them; "${entry}" is not one`)
      }
    }
  }
  if (production && config.admin && config.admin.password.length < 12) {
    problems.push('ADMIN_PASSWORD is shorter than 12 characters')
  }
  if (production) problems.push(...productionProblems(env, publicUrl))
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** `PROVIDER_A` of `provider-a`. */
const settingsPrefix = (provider: string): string => provider.toUpperCase().replaceAll('-', '_')

/** The address for what needs one session, or other limits than those of the role: the check of the books. */
export const sessionUrl = ({ databaseUrl, databaseUrlDirect, databasePooler }: Config): string =>
  databasePooler === 'transaction' ? databaseUrlDirect : databaseUrl

/** Without AI_CALLBACK_SECRET one is derived, so that an operator makes and keeps one secret; neither reveals the other. */
function derivedCallbackSecret({ AUTH_SECRET }: Record<string, string | undefined>): string {
  const secret = AUTH_SECRET?.trim()
  return secret ? Buffer.from(hkdfSync('sha256', secret, '', 'kinora callback', 32)).toString('base64url') : ''
}

/**
 * The number of proxies from "off" (0), "on" (1) or a digit. A number and not a boolean, because a caller can forge the
 * first addresses of X-Forwarded-For: only the last ones, appended by the trusted proxies, are reliable.
 */
function parseTrustedProxies(value: string | undefined, problems: string[]): number {
  const setting = value?.trim().toLowerCase() || 'off'
  if (['off', 'false', 'no'].includes(setting)) return 0
  if (['on', 'true', 'yes'].includes(setting)) return 1
  if (/^\d$/.test(setting)) return Number(setting)
  problems.push(`TRUST_PROXY must be on, off, or how many proxies stand in front (0 to 9), not "${value}"`)
  return 0
}

function parseRateLimitStore(value: string | undefined, problems: string[]): Config['rateLimitStore'] {
  const setting = value?.trim().toLowerCase() || 'memory'
  if (setting === 'memory' || setting === 'postgresql') return setting
  problems.push(`RATE_LIMIT_STORE must be memory or postgresql, not "${value}"`)
  return 'memory'
}

const entries = (list = ''): string[] => list.split(',').flatMap((entry) => entry.trim() || [])

/** Seconds from "90", "90s", "15m", "24h" or "7d". */
export function parseDuration(name: string, value: string | undefined, fallbackS: number, problems: string[]): number {
  if (!value?.trim()) return fallbackS
  const match = /^(\d{1,9})\s*(s|m|h|d)?$/.exec(value.trim())
  const unitS = { s: 1, m: 60, h: 3600, d: 86_400 }[match?.[2] ?? 's'] ?? 1
  const seconds = Number(match?.[1]) * unitS
  if (match && seconds > 0) return seconds
  problems.push(`${name} must be a time such as 90s, 15m, 24h or 7d, not "${value}"`)
  return fallbackS
}
