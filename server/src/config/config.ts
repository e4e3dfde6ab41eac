/**
 * The settings as the service uses them, read once; no other module of the server reads the environment. settings.ts
 * declares each with its meaning. All problems are reported together, so that an operator fixes them in one go.
 */
import { createHash, hkdfSync } from 'node:crypto'
import { hostname } from 'node:os'
import path from 'node:path'
import { misspeltSettings } from './misspelt-settings.ts'
import { packageDir } from './package-dir.ts'
import { forEachProcessor, type Processor, processorPart, processors } from './processors.ts'
import { productionProblems } from './production-settings.ts'
import { type Environment, type SettingReader, settingReader } from './setting-reader.ts'

/** A payment processor's settings; null in `Config` when none of them is set, which disables the processor. */
export type PaymentSettings = NonNullable<ReturnType<typeof readPayment>>
export type ProviderSettings = NonNullable<ReturnType<typeof readProvider>>
export type ModerationSettings = NonNullable<ReturnType<typeof readModeration>>
export type WriterSettings = NonNullable<ReturnType<typeof readWriter>>
export type CaptchaSettings = NonNullable<ReturnType<typeof readCaptcha>>
/** `filesUrl`: the origin of a CDN in front of the bucket, to which readers are sent; null or absent: the bucket. */
export type S3Settings = ReturnType<typeof readS3Access> & { bucket: string; filesUrl?: string | null }
/** Seconds for which data is kept; null: for ever. */
export type Retention = ReturnType<typeof readRetention>
export type TracingSettings = NonNullable<ReturnType<typeof readTracingSettings>>
/** `misspelt`: names in the environment that look like a setting, each with the one that may be meant. */
export type Config = ReturnType<typeof readAll> & { misspelt: string[] }

export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`Kinora cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const GIFTS_PER_NETWORK = 5
/** A film has ten polls, each the whole of a trace of its own, whose span takes a quarter of the poll's CPU time. */
const READ_RATIO_DEFAULT = 1 / 16
const LOCAL_SENDER = { name: '', address: 'kinora@localhost' }

/** An account of catalogue/providers.json; provider/accounts.ts documents it. */
export type AccountEntry = {
  id: string
  adapter: string
  needs?: ('url' | 'key')[]
  concurrency?: number
  submitsPer?: { count: number; seconds: number }
  resultHeaders?: Record<string, Record<string, string>>
  unitUsd?: Record<string, number>
}

/**
 * @param accounts those of the catalogue, one of which must have settings
 * @throws ConfigError that names every missing or wrong setting
 */
export function readConfig(environment: Environment, accounts: readonly AccountEntry[]): Config {
  const problems: string[] = []
  const reader = settingReader(environment, problems)
  const parts = accounts.map(({ id }) => settingsPart(id))
  const config = { ...readAll(reader, accounts), misspelt: misspeltSettings(reader.env, parts) }
  if (accounts.length > 0 && Object.keys(config.providers).length === 0) {
    problems.push(
      'No AI provider is set up: set PROVIDER_<ID>_API_KEY, and PROVIDER_<ID>_URL where there is no public address; ' +
        `<ID> is one of ${parts.join(', ')}`,
    )
  }
  if (config.databasePooler === 'transaction' && !reader.isSet('DATABASE_URL_DIRECT')) {
    problems.push(
      'DATABASE_POOLER=transaction needs DATABASE_URL_DIRECT, an address of PostgreSQL itself, for migrations',
    )
  }
  if (config.gift.after === 'verification' && !config.mail.smtp && config.signIn.providers.length === 0) {
    problems.push(
      'GIFT_AFTER=verification needs SMTP_URL or a provider of sign-in: without one no address is ever verified',
    )
  }
  if (config.filesByProxy && config.trustedProxies === 0) {
    problems.push('FILES_BY_PROXY=on needs TRUST_PROXY: without a proxy in front nobody would send the films')
  }
  if (reader.production) problems.push(...productionProblems(reader.env, config.publicUrl))
  if (problems.length > 0) throw new ConfigError([...problems, ...config.misspelt])
  return config
}

function readAll(reader: SettingReader, accounts: readonly AccountEntry[]) {
  const { env, production, read, need, isSet } = reader
  const port = read('PORT')
  const publicUrl = read('PUBLIC_URL') ?? `http://localhost:${port}`
  const databaseUrl = need('DATABASE_URL') ?? ''
  const authSecret = need('AUTH_SECRET') ?? ''
  const rateLimits = read('RATE_LIMITS')
  return {
    production,
    port,
    host: read('HOST'),
    /** Has no trailing slash. */
    publicUrl,
    dataDir: path.resolve(read('DATA_DIR')),
    studioDir: path.resolve(read('STUDIO_DIR') ?? path.join(packageDir, '../studio/dist')),
    databaseUrl,
    databaseUrlDirect: read('DATABASE_URL_DIRECT') ?? databaseUrl,
    /** Null: one part. `node`: address of the database node whose videos this worker claims; null: of all. */
    division: null as { node: string | null } | null,
    databasePooler: read('DATABASE_POOLER'),
    databaseConnections: read('DATABASE_CONNECTIONS'),
    /** Whether the operator has chosen that number; else several API processes have fewer each. */
    areConnectionsChosen: isSet('DATABASE_CONNECTIONS'),
    ...readStorage(reader),
    backup: readBackup(reader),
    authSecret,
    admin: readAdmin(reader),
    sessionIdleS: read('SESSION_IDLE_TIMEOUT'),
    signIn: readSignIn(reader),
    captcha: readCaptcha(reader),
    site: readSite(reader),
    newUserCredits: read('NEW_USER_CREDITS'),
    newUserCreditsDays: 30,
    gift: readGiftSettings(reader),
    /** The provider's name is appended. */
    callbackUrl: read('AI_CALLBACK_URL') ?? `${publicUrl}/api/v1/video/callback`,
    callbackSecret: read('AI_CALLBACK_SECRET') ?? derivedCallbackSecret(authSecret),
    /** The provider accounts with settings, by their id. */
    providers: readProviders(reader, accounts),
    ...readTextServices(reader),
    consent: consentTo(read('CONSENT_TEXT')),
    /** What a credit is worth; null: what the dearest one for sale costs. */
    creditUsd: read('CREDIT_USD') ?? null,
    payments: forEachProcessor((processor) => readPayment(reader, processor)),
    reconcile: { days: read('RECONCILE_DAYS'), intervalS: read('RECONCILE_EVERY') },
    fileUrlTtlS: read('FILE_URL_TTL'),
    retention: readRetention(reader),
    refundGraceS: read('REFUND_GRACE'),
    owed: read('OWED'),
    fetchAllow: read('FETCH_ALLOW') ?? [],
    webhookAllow: read('WEBHOOK_ALLOW') ?? [],
    webhookTimeoutS: read('WEBHOOK_TIMEOUT'),
    mail: readMail(reader),
    inlineStartImage: read('INLINE_START_IMAGE'),
    rateLimits,
    rateLimitStore: read('RATE_LIMIT_STORE'),
    maxInProgress: read('MAX_IN_PROGRESS'),
    assetBytes: read('ASSET_BYTES'),
    metricsPort: read('METRICS_PORT'),
    tracing: readTracingSettings(reader),
    ...readLogging(reader),
    trustedProxies: read('TRUST_PROXY'),
    corsOrigins: read('CORS_ORIGINS') ?? [],
    ...readFilms(reader),
    workerConcurrency: read('WORKER_CONCURRENCY'),
    /** Host name and process id: names the process's connections in `pg_stat_activity`. */
    processName: `${hostname()}-${process.pid}`,
    /** The crash point (fault injection) at which the process kills itself: for crash tests, ignored in production. */
    crashAt: production ? null : env.KINORA_CRASH_AT?.trim() || null,
  }
}

const readSignIn = (reader: SettingReader) => ({
  signUp: reader.read('SIGN_UP'),
  providers: readSignInProviders(reader),
  needsAdminFactor: reader.read('ADMIN_SECOND_FACTOR') === 'required',
})

/** What is asked of a film that a provider has made, and what is done to it. */
const readFilms = (reader: SettingReader) => ({
  renderCredits: reader.read('RENDER_CREDITS'),
  filmBytesMax: reader.read('FILM_BYTES_MAX'),
  filmShareMin: { duration: reader.read('FILM_DURATION_SHARE_MIN'), size: reader.read('FILM_SIZE_SHARE_MIN') },
  mediaSandbox: reader.read('MEDIA_SANDBOX'),
  provenance: readProvenance(reader),
  vendorWatermark: reader.read('VENDOR_WATERMARK'),
})

/** Marks of films made by AI. `certificate`, `key`: PEM, both or neither; `cnProducer`: null without China's label. */
function readProvenance({ read, isSet, problems }: SettingReader) {
  const [certificate, key, cnProducer] = [read('PROVENANCE_CERTIFICATE'), read('PROVENANCE_KEY'), read('PROVENANCE_CN')]
  if (isSet('PROVENANCE_CERTIFICATE') !== isSet('PROVENANCE_KEY')) {
    problems.push('PROVENANCE_CERTIFICATE and PROVENANCE_KEY belong together: set both, or neither')
  }
  return { mode: read('PROVENANCE'), certificate, key, tsa: read('PROVENANCE_TSA'), cnProducer }
}

/** What the pages show of the operator. */
const readSite = ({ read }: SettingReader) => ({
  name: read('BRAND_NAME'),
  logo: read('BRAND_LOGO'),
  colour: read('BRAND_COLOR'),
  film: read('WELCOME_FILM'),
  termsUrl: read('TERMS_URL'),
  privacyUrl: read('PRIVACY_URL'),
  supportUrl: read('SUPPORT_URL'),
  hasExplore: read('EXPLORE'),
  timeZone: read('TIME_ZONE'),
})

/** `A` of `provider-a`, `FAL` of `fal`. */
export const settingsPart = (account: string): string =>
  account
    .replace(/^provider-/, '')
    .toUpperCase()
    .replaceAll('-', '_')

/** The key of an account that the built-in simulator stands in for. */
const SIMULATED = 'simulator'

function readProviders(reader: SettingReader, accounts: readonly AccountEntry[]): Record<string, ProviderSettings> {
  const inUse = accounts.flatMap((account) => {
    const settings = readProvider(reader, account)
    return settings ? [[account.id, settings] as const] : []
  })
  return Object.fromEntries(inUse)
}

/** @returns `url` null: the vendor's public address; `isSimulated`: the built-in simulator answers there */
function readProvider(reader: SettingReader, { id, needs = ['key'], ...account }: AccountEntry) {
  const { read, need, isSet, production, problems } = reader
  const part = settingsPart(id)
  if (!(['URL', 'API_KEY', 'WEBHOOK_KEY'] as const).some((each) => isSet(`PROVIDER_<ID>_${each}`, part))) return null
  const needsKey = production && needs.includes('key')
  const apiKey = (needsKey ? need('PROVIDER_<ID>_API_KEY', part) : read('PROVIDER_<ID>_API_KEY', part)) ?? ''
  const isKeyOfSimulator = apiKey === SIMULATED && !isSet('PROVIDER_<ID>_URL', part)
  const simulator = read('PROVIDER_SIMULATOR_URL')
  if (isKeyOfSimulator && !simulator) {
    problems.push(
      `PROVIDER_${part}_API_KEY is "${SIMULATED}", and there is no simulator: use \`npm start\`, which runs one, or set PROVIDER_SIMULATOR_URL`,
    )
  }
  const ownUrl =
    needs.includes('url') && !isKeyOfSimulator ? need('PROVIDER_<ID>_URL', part) : read('PROVIDER_<ID>_URL', part)
  const url = isKeyOfSimulator && simulator ? `${simulator}/${account.adapter}` : ownUrl
  return {
    ...account,
    url,
    ...(simulator !== null && url?.startsWith(`${simulator}/`) && { isSimulated: true }),
    apiKey,
    webhookKey: read('PROVIDER_<ID>_WEBHOOK_KEY', part),
    timeoutS: read('PROVIDER_TIMEOUT'),
  }
}

function readPayment({ read, need, isSet }: SettingReader, processor: Processor) {
  const part = processorPart(processor)
  const names = ['URL', 'API_KEY', 'WEBHOOK_SECRET'] as const
  if (!names.some((each) => isSet(`PAYMENT_<PROCESSOR>_${each}`, part))) return null
  return {
    url: read('PAYMENT_<PROCESSOR>_URL', part) ?? processors[processor].url,
    apiKey: need('PAYMENT_<PROCESSOR>_API_KEY', part) ?? '',
    webhookSecret: need('PAYMENT_<PROCESSOR>_WEBHOOK_SECRET', part) ?? '',
  }
}

/** `accessLog`: a line for each request. */
const readLogging = ({ read }: SettingReader) => ({ logLevel: read('LOG_LEVEL'), accessLog: read('ACCESS_LOG') })

/** `storage`: where new films go. */
function readStorage(reader: SettingReader) {
  const s3 = readS3(reader)
  const storage = reader.read('STORAGE') ?? (s3 ? 's3' : 'folder')
  if (storage === 's3' && !s3) reader.problems.push('STORAGE=s3 needs S3_BUCKET')
  return { s3, storage, filesByProxy: reader.read('FILES_BY_PROXY') }
}

/** @returns null: no film is in S3 */
function readS3(reader: SettingReader) {
  const { isSet, read, problems } = reader
  const filesUrl = read('FILES_URL')
  if (isSet('FILES_URL') && !isSet('S3_BUCKET')) problems.push('FILES_URL is for films in S3: set S3_BUCKET')
  const bucket = read('S3_BUCKET')
  return bucket === null ? null : { bucket, filesUrl, ...readS3Access(reader, '') }
}

function readBackup(reader: SettingReader) {
  const { isSet, read } = reader
  const keys = ['<BACKUP_|>S3_ACCESS_KEY_ID', '<BACKUP_|>S3_SECRET_ACCESS_KEY'] as const
  return {
    /** null: the command names it. */
    target: read('BACKUP_TO'),
    /** null: all. */
    keep: read('BACKUP_KEEP'),
    s3: keys.every((key) => isSet(key, 'BACKUP_')) ? readS3Access(reader, 'BACKUP_') : null,
  }
}

/** Each `BACKUP_S3_…` that is unset is the `S3_…` of the films. */
function readS3Access({ read, need }: SettingReader, part: '' | 'BACKUP_') {
  const endpoint = read('<BACKUP_|>S3_ENDPOINT', part)
  return {
    endpoint,
    region: read('<BACKUP_|>S3_REGION', part),
    accessKeyId: need('<BACKUP_|>S3_ACCESS_KEY_ID', part) ?? '',
    secretAccessKey: need('<BACKUP_|>S3_SECRET_ACCESS_KEY', part) ?? '',
    forcePathStyle: read('<BACKUP_|>S3_FORCE_PATH_STYLE', part) ?? endpoint !== null,
  }
}

/** `id` names a provider in paths and rows. `issuer`: of OpenID Connect; null for Google and GitHub. */
function readSignInProviders({ env, problems, isSet, read, need }: SettingReader) {
  const wellKnown = (['GOOGLE', 'GITHUB'] as const)
    .filter((part) => isSet('<GOOGLE|GITHUB>_CLIENT_ID', part) || isSet('<GOOGLE|GITHUB>_CLIENT_SECRET', part))
    .map((part) => ({
      id: part.toLowerCase(),
      name: { GOOGLE: 'Google', GITHUB: 'GitHub' }[part],
      issuer: null,
      clientId: need('<GOOGLE|GITHUB>_CLIENT_ID', part) ?? '',
      clientSecret: need('<GOOGLE|GITHUB>_CLIENT_SECRET', part) ?? '',
    }))
  const labels = Object.entries(env).flatMap(([name, value]) =>
    value?.trim() ? (/^OIDC_([A-Z0-9]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/.exec(name)?.[1] ?? []) : [],
  )
  const openId = [...new Set(labels)].sort().flatMap((label) => {
    const id = label.toLowerCase()
    if (id === 'credential' || wellKnown.some((each) => each.id === id)) {
      problems.push(`OIDC_${label}_ISSUER: ${id} is the name of another way to sign in; choose another one`)
      return []
    }
    return {
      id,
      name: read('OIDC_<ID>_NAME', label) ?? `${label.charAt(0)}${label.slice(1).toLowerCase()}`,
      issuer: need('OIDC_<ID>_ISSUER', label) ?? '',
      clientId: need('OIDC_<ID>_CLIENT_ID', label) ?? '',
      clientSecret: need('OIDC_<ID>_CLIENT_SECRET', label) ?? '',
    }
  })
  return [...wellKnown, ...openId]
}

/** @returns null: sign-up asks for no CAPTCHA */
function readCaptcha({ isSet, read, need }: SettingReader) {
  if (!isSet('CAPTCHA_PROVIDER') && !isSet('CAPTCHA_SECRET') && !isSet('CAPTCHA_SITE_KEY')) return null
  const provider = need('CAPTCHA_PROVIDER')
  const [secret, siteKey] = [need('CAPTCHA_SECRET'), need('CAPTCHA_SITE_KEY')]
  const verifyUrl = read('CAPTCHA_VERIFY_URL')
  return provider && secret && siteKey ? { provider, secret, siteKey, verifyUrl } : null
}

/** @returns the statement and its version, by which a changed text is another one; null: nobody is asked */
const consentTo = (text: string) =>
  text === 'off' ? null : { text, version: createHash('sha256').update(text).digest('hex').slice(0, 12) }

/** Services of the operator that see texts before anything is made. */
const readTextServices = (reader: SettingReader) => ({ moderation: readModeration(reader), writer: readWriter(reader) })

/** @returns null: no service decides about requests */
function readModeration({ read, problems, isSet }: SettingReader) {
  const url = read('MODERATION_URL')
  const settings = {
    format: read('MODERATION_FORMAT'),
    apiKey: read('MODERATION_API_KEY'),
    timeoutS: read('MODERATION_TIMEOUT'),
    /** What becomes of a request without a verdict. */
    fail: read('MODERATION_FAIL'),
    /** What becomes of films and sounds that it cannot look at. */
    unseen: read('MODERATION_UNSEEN'),
  }
  if (url !== null) return { url, ...settings }
  if (!isSet('MODERATION_URL') && (isSet('MODERATION_API_KEY') || isSet('MODERATION_FORMAT'))) {
    problems.push('MODERATION_URL is missing: moderation is off without it')
  }
  return null
}

/** @returns null: no language model proposes texts */
function readWriter({ read, problems, isSet }: SettingReader) {
  const [url, model] = [read('WRITER_URL'), read('WRITER_MODEL')]
  if ((url === null) !== (model === null)) {
    problems.push(url === null ? 'WRITER_URL is missing: WRITER_MODEL is used there alone' : 'WRITER_MODEL is missing')
  } else if (url === null && isSet('WRITER_API_KEY'))
    problems.push('WRITER_URL is missing: the key is used there alone')
  if (url === null || model === null) return null
  return { url, model, apiKey: read('WRITER_API_KEY'), timeoutS: read('WRITER_TIMEOUT') }
}

export function readGiftSettings({ read, production }: SettingReader) {
  return {
    /** null: after verification where an address can be verified. */
    after: read('GIFT_AFTER'),
    /** Gifts of a network on a day in UTC; null: unlimited. */
    perNetwork: (read('GIFTS_PER_NETWORK') ?? (read('RATE_LIMITS') ? GIFTS_PER_NETWORK : 0)) || null,
    /** Whether the cap holds for this machine itself, from which all requests of a first start come. */
    countsLoopback: production,
    /** Domains of e-mail addresses that get no gift, in lower case, with their subdomains. */
    deniedDomains: new Set([...(read('GIFT_DENIED_DOMAINS') ?? []), ...(read('GIFT_DENIED_DOMAINS_FILE') ?? [])]),
  }
}

function readAdmin({ isSet, need }: SettingReader) {
  if (!isSet('ADMIN_EMAIL') && !isSet('ADMIN_PASSWORD')) return null
  return { email: need('ADMIN_EMAIL') ?? '', password: need('ADMIN_PASSWORD') ?? '' }
}

function readMail({ isSet, need, read }: SettingReader) {
  const { name, address } = (isSet('SMTP_URL') ? need('MAIL_FROM') : read('MAIL_FROM')) ?? LOCAL_SENDER
  return {
    /** null: messages stay in the outbox for administrators. */
    smtp: read('SMTP_URL'),
    from: { name: name || read('BRAND_NAME'), address },
  }
}

function readRetention({ read }: SettingReader) {
  return {
    deletedS: read('DELETED_KEPT'),
    filmsS: read('KEEP_FILMS'),
    testFilmsS: read('KEEP_TEST_FILMS'),
    sessionsS: read('KEEP_SESSIONS'),
    verificationsS: read('KEEP_VERIFICATIONS'),
    providerTasksS: read('KEEP_PROVIDER_TASKS'),
    paymentBodiesS: read('KEEP_PAYMENT_BODIES'),
    videoLogsS: read('KEEP_VIDEO_LOGS'),
    webhookDeliveriesS: read('KEEP_WEBHOOK_DELIVERIES'),
    mailsS: read('KEEP_MAILS'),
    giftAddressesS: read('KEEP_GIFT_ADDRESSES'),
  }
}

/** @returns null unless an endpoint is set, or with OTEL_SDK_DISABLED=true or OTEL_TRACES_EXPORTER=none */
export function readTracingSettings({ env, read, isSet }: SettingReader) {
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none') return null
  if (!isSet('OTEL_EXPORTER_OTLP_<TRACES_|>ENDPOINT', 'TRACES_')) return null
  const endpoint = read('OTEL_EXPORTER_OTLP_<TRACES_|>ENDPOINT', 'TRACES_') ?? ''
  return {
    url: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() ? endpoint : `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: read('OTEL_EXPORTER_OTLP_<TRACES_|>HEADERS', 'TRACES_') ?? {},
    protocol: read('OTEL_EXPORTER_OTLP_<TRACES_|>PROTOCOL', 'TRACES_'),
    isCompressed: read('OTEL_EXPORTER_OTLP_<TRACES_|>COMPRESSION', 'TRACES_') === 'gzip',
    timeoutMs: read('OTEL_EXPORTER_OTLP_<TRACES_|>TIMEOUT', 'TRACES_'),
    resource: {
      'service.name': 'kinora',
      ...read('OTEL_RESOURCE_ATTRIBUTES'),
      ...(isSet('OTEL_SERVICE_NAME') && { 'service.name': read('OTEL_SERVICE_NAME') ?? '' }),
    },
    sampler: readSampler(read),
  }
}

/**
 * The share of traces, 0 to 1, of those that begin here; `readRatio`: of requests that only read, see `endRequest` in
 * tracing.ts; `isParentBased`: a caller's decision counts for its own request.
 */
function readSampler(read: SettingReader['read']) {
  const sampler = read('OTEL_TRACES_SAMPLER')
  if (!sampler) return { ratio: 1, readRatio: READ_RATIO_DEFAULT, isParentBased: true }
  const argument = read('OTEL_TRACES_SAMPLER_ARG')
  const ratio = sampler.kind === 'always_off' ? 0 : sampler.kind === 'traceidratio' ? argument : 1
  return { ratio, readRatio: ratio, isParentBased: sampler.isParentBased }
}

/** The address for what needs one session, or other limits than those of the role: the check of the books. */
export const sessionUrl = ({ databaseUrl, databaseUrlDirect, databasePooler }: Config): string =>
  databasePooler === 'transaction' ? databaseUrlDirect : databaseUrl

/** An operator without AI_CALLBACK_SECRET keeps one secret, of which this is derived; neither reveals the other. */
const derivedCallbackSecret = (authSecret: string): string =>
  authSecret && Buffer.from(hkdfSync('sha256', authSecret, '', 'kinora callback', 32)).toString('base64url')
