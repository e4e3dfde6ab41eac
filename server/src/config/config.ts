/**
 * The settings, read from the environment and validated once; no other module of the server reads the environment. All
 * problems are reported together, so that an operator fixes them in one go. setting-reader.ts reads one setting; groups of
 * settings have a module each, `*-settings.ts`.
 */
import { hkdfSync } from 'node:crypto'
import { hostname } from 'node:os'
import path from 'node:path'
import { type BackupSettings, readBackupSettings } from './backup-settings.ts'
import { readDatabaseUrl } from './database-settings.ts'
import { type MailSettings, readMailSettings } from './mail-settings.ts'
import { packageDir } from './package-dir.ts'
import { productionProblems } from './production-settings.ts'
import { type Retention, readRetention } from './retention-settings.ts'
import { readS3Settings, type S3Settings } from './s3-settings.ts'
import { withSecretFiles } from './secret-settings.ts'
import { type Environment, type SettingReader, settingReader } from './setting-reader.ts'
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
  /** Whether the service starts where native code in the decoder can escape the sandbox; `off`: limits only. */
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
/** A worker's lease on an endpoint covers its last request. */
const WEBHOOK_TIMEOUT_MAX_S = 30
const PAYMENT_A_URL = 'https://api.creem.io'
const PAYMENT_B_URL = 'https://api.stripe.com'
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * @param providerNames the providers of the catalogue, one of which must have settings
 * @throws ConfigError that names every missing or wrong setting
 */
export function readConfig(environment: Environment, providerNames: readonly string[]): Config {
  const problems: string[] = []
  const env = withSecretFiles(environment, problems)
  const reader = settingReader(env, problems)
  const { production, given, isSet, text, integer, url, boolean, secret, oneOf, duration, durationOrOff, hostPorts } =
    reader
  const apiKey = (name: string): string => (production ? text(name) : text(name, ''))

  const provider = (name: string): [string, ProviderSettings][] => {
    const prefix = settingsPrefix(name)
    if (!['URL', 'API_KEY', 'WEBHOOK_KEY'].some((each) => isSet(`${prefix}_${each}`))) return []
    const settings = {
      url: url(`${prefix}_URL`),
      apiKey: apiKey(`${prefix}_API_KEY`),
      webhookKey: given(`${prefix}_WEBHOOK_KEY`) || null,
      timeoutS: duration('PROVIDER_TIMEOUT', 30),
    }
    return [[name, settings]]
  }

  const payment = (prefix: string, defaultUrl: string): PaymentSettings | null => {
    const names = ['URL', 'API_KEY', 'WEBHOOK_SECRET'].map((name) => `${prefix}_${name}`)
    if (!names.some(isSet)) return null
    return {
      url: url(`${prefix}_URL`, defaultUrl),
      apiKey: text(`${prefix}_API_KEY`),
      webhookSecret: secret(`${prefix}_WEBHOOK_SECRET`),
    }
  }

  const port = integer('PORT', 8080, 0, 65535)
  const publicUrl = url('PUBLIC_URL', `http://localhost:${port}`)
  const rateLimits = boolean('RATE_LIMITS', true)
  const config: Config = {
    production,
    port,
    host: text('HOST', '0.0.0.0'),
    publicUrl,
    dataDir: path.resolve(text('DATA_DIR', '.kinora')),
    studioDir: path.resolve(text('STUDIO_DIR', path.join(packageDir, '../studio/dist'))),
    databaseUrl: readDatabaseUrl(reader, 'DATABASE_URL'),
    databaseUrlDirect: readDatabaseUrl(reader, 'DATABASE_URL_DIRECT', given('DATABASE_URL')),
    distributed: null,
    databasePooler: oneOf('DATABASE_POOLER', ['off', 'transaction']),
    databaseConnections: integer('DATABASE_CONNECTIONS', 16, 1, 1000),
    areConnectionsChosen: isSet('DATABASE_CONNECTIONS'),
    s3: readS3Settings(reader),
    backup: readBackupSettings(reader),
    authSecret: secret('AUTH_SECRET'),
    admin:
      env.ADMIN_EMAIL || env.ADMIN_PASSWORD ? { email: text('ADMIN_EMAIL'), password: text('ADMIN_PASSWORD') } : null,
    sessionIdleS: durationOrOff('SESSION_IDLE_TIMEOUT', null),
    signIn: readSignInSettings(reader),
    captcha: readCaptchaSettings(reader),
    newUserCredits: integer('NEW_USER_CREDITS', 60, 0, 1_000_000),
    newUserCreditsDays: 30,
    gift: readGiftSettings(reader, rateLimits),
    callbackUrl: url('AI_CALLBACK_URL', `${publicUrl}/api/v1/video/callback`),
    callbackSecret: isSet('AI_CALLBACK_SECRET')
      ? secret('AI_CALLBACK_SECRET')
      : derivedCallbackSecret(given('AUTH_SECRET')),
    providers: Object.fromEntries(providerNames.flatMap(provider)),
    payments: { 'payment-a': payment('PAYMENT_A', PAYMENT_A_URL), 'payment-b': payment('PAYMENT_B', PAYMENT_B_URL) },
    reconcile: {
      days: integer('RECONCILE_DAYS', 7, 1, 365),
      intervalS: durationOrOff('RECONCILE_EVERY', 6 * 3600),
    },
    fileUrlTtlS: duration('FILE_URL_TTL', 24 * 3600),
    retention: readRetention(reader),
    filmBytesMax: integer('FILM_BYTES_MAX', 2 * 1024 ** 3, 1, 1024 ** 4),
    refundGraceS: duration('REFUND_GRACE', 24 * 3600),
    fetchAllow: hostPorts('FETCH_ALLOW'),
    webhookAllow: hostPorts('WEBHOOK_ALLOW'),
    webhookTimeoutS: duration('WEBHOOK_TIMEOUT', 15),
    mail: readMailSettings(reader),
    inlineStartImage: boolean('INLINE_START_IMAGE', false),
    rateLimits,
    rateLimitStore: oneOf('RATE_LIMIT_STORE', ['memory', 'postgresql']),
    maxInProgress: integer('MAX_IN_PROGRESS', 20, 0, 1_000_000),
    metricsPort: isSet('METRICS_PORT') ? integer('METRICS_PORT', 0, 0, 65535) : null,
    tracing: readTracingSettings(reader),
    logLevel: text('LOG_LEVEL', 'info'),
    trustedProxies: readTrustedProxies(reader),
    mediaSandbox: oneOf('MEDIA_SANDBOX', ['auto', 'required', 'off']),
    workerConcurrency: integer('WORKER_CONCURRENCY', 256, 1, 1000),
    processName: `${hostname()}-${process.pid}`,
    crashAt: production ? null : given('KINORA_CRASH_AT') || null,
  }
  if (config.sessionIdleS !== null && config.sessionIdleS < SESSION_IDLE_MIN_S) {
    problems.push('SESSION_IDLE_TIMEOUT must be off, or at least 5m')
  }
  if (providerNames.length > 0 && Object.keys(config.providers).length === 0) {
    const pairs = providerNames.map(settingsPrefix).map((prefix) => `${prefix}_URL and ${prefix}_API_KEY`)
    problems.push(`No AI provider is set up: set ${pairs.join(', or ')}`)
  }
  if (config.databasePooler === 'transaction' && !isSet('DATABASE_URL_DIRECT')) {
    problems.push(
      'DATABASE_POOLER=transaction needs DATABASE_URL_DIRECT, an address of PostgreSQL itself, for migrations',
    )
  }
  if (config.webhookTimeoutS > WEBHOOK_TIMEOUT_MAX_S) problems.push('WEBHOOK_TIMEOUT must be at most 30s')
  if (!logLevels.includes(config.logLevel)) problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}`)
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
const derivedCallbackSecret = (authSecret: string): string =>
  authSecret && Buffer.from(hkdfSync('sha256', authSecret, '', 'kinora callback', 32)).toString('base64url')

/**
 * The number of proxies from "off" (0), "on" (1) or a digit. A number and not a boolean, because a caller can forge the
 * first addresses of X-Forwarded-For: only the last ones, appended by the trusted proxies, are reliable.
 */
function readTrustedProxies({ given, problems }: SettingReader): number {
  const setting = given('TRUST_PROXY').toLowerCase() || 'off'
  if (['off', 'false', 'no'].includes(setting)) return 0
  if (['on', 'true', 'yes'].includes(setting)) return 1
  if (/^\d$/.test(setting)) return Number(setting)
  problems.push(
    `TRUST_PROXY must be on, off, or how many proxies stand in front (0 to 9), not "${given('TRUST_PROXY')}"`,
  )
  return 0
}
