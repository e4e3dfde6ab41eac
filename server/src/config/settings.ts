/**
 * Every setting of the service, declared once: its name, kind, default, meaning, and whether it is a secret. Reading,
 * the problems of start-up and `kinora doctor`, and docs/settings.md (`npm run settings`) come from here.
 *
 * A part of a name in brackets stands for one of its alternatives (`<BACKUP_|>S3_REGION` is `BACKUP_S3_REGION` and
 * `S3_REGION`), `<PROCESSOR>` for each payment processor, and another single word for any: `<NAME>` for the name of an
 * AI provider, `<ID>` for what the operator calls a sign-in provider.
 */
import { processorNames, processorPart, processors } from './processors.ts'
import * as is from './setting-kinds.ts'

/**
 * What kind of secret a setting is. All may come from a file, are removed from the environment and never quoted. In
 * production a `generated` one must be hard to guess; `generated` and `own` authenticate callers, so that each must
 * differ from every other secret; `foreign` ones are given to another service, and `inAddress` is the password of an
 * address. `unshared` is compared with none.
 */
export type SecretKind = 'generated' | 'own' | 'foreign' | 'inAddress' | 'unshared'

export type Setting<T> = {
  kind: is.Kind<NonNullable<T>> | is.Kind<T>
  /** The default, as an operator would write it; null: none. */
  value: string | null
  /** What holds when the setting is left out, for the page of settings. */
  fallback: string
  meaning: string
  secret: SecretKind | null
}

export const CAPTCHA_PROVIDERS = ['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha', 'captchafox'] as const

/** A setting with a default. */
const setting = <T>(kind: is.Kind<T>, value: string, meaning: string): Setting<T> => ({
  ...{ kind, value, meaning },
  fallback: `\`${value}\``,
  secret: null,
})

/** A setting that reads as null when it is left out. @param fallback what holds then */
const optional = <T>(kind: is.Kind<T>, fallback: string, meaning: string, secret?: SecretKind): Setting<T | null> => ({
  ...{ kind, fallback, meaning },
  value: null,
  secret: secret ?? null,
})

/** How long data is kept, in seconds; null: for ever. */
const kept = (value: string, meaning: string, bounds = {}) => setting(is.durationOr('forever', bounds), value, meaning)

/** Whose API each payment processor has. */
const dialects = processorNames
  .map((each) => `\`${processorPart(each)}\` speaks the API of ${processors[each].dialect}`)
  .join(', ')

export const settings = {
  PUBLIC_URL: optional(is.publicUrl, '`http://localhost:PORT`', 'https address that clients use'),
  PORT: setting(is.integer(0, 65_535), '8080', 'port on which the API listens'),
  HOST: setting(is.text, '0.0.0.0', 'address on which the API listens'),
  DATA_DIR: setting(is.text, '.kinora', 'films, unless they go to S3, and temporary files'),
  STUDIO_DIR: optional(is.text, '`studio/dist`', 'folder of the built studio'),
  CORS_ORIGINS: optional(
    is.origins,
    'none',
    'other sites whose pages may call the API, with a key or a browser token; cookies never count there',
  ),
  TRUST_PROXY: setting(is.proxies, 'off', 'proxies in front, in a row, each of which adds to `X-Forwarded-For`'),
  FILES_BY_PROXY: setting(
    is.flag,
    'off',
    '`on`: the proxy sends films from the folder, by `X-Accel-Redirect`, as `deploy/nginx.conf` and `deploy/Caddyfile` do; needs `TRUST_PROXY`',
  ),
  METRICS_PORT: optional(is.integer(0, 65_535), 'for administrators at `/metrics`', 'port of metrics without sign-in'),
  LOG_LEVEL: setting(
    is.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'lowest level of messages that are logged',
  ),
  ACCESS_LOG: setting(
    is.flag,
    'off',
    '`on`: a line of `info` for each request: method, path, status, time, address, user',
  ),
  WORKER_CONCURRENCY: setting(is.integer(1, 1000), '256', 'videos that one worker process handles at a time'),
  MEDIA_SANDBOX: setting(
    is.oneOf(['auto', 'required', 'off']),
    'auto',
    '`required`: the service does not start while native code in the media decoder can escape its sandbox; `off`: limits only',
  ),
  PROVENANCE: setting(
    is.oneOf(['on', 'required', 'off']),
    'on',
    'whether films say that they are made by AI, by signed content credentials (C2PA): docs/provenance.md. `required`: a film that cannot be signed waits; `on`: it is stored, and signed later',
  ),
  PROVENANCE_CERTIFICATE: optional(
    is.text,
    'one that the first start makes, which no other program trusts',
    'certificate that signs films, in PEM, with its chain behind it; or `PROVENANCE_CERTIFICATE_FILE`',
    'unshared',
  ),
  PROVENANCE_KEY: optional(is.text, 'that of the certificate made', 'its private key: EC, P-256, in PEM', 'unshared'),
  PROVENANCE_TSA: optional(is.address, 'films have no time stamp', 'time stamp authority (RFC 3161)'),
  PROVENANCE_CN: optional(
    is.text,
    'films have no such label',
    'code of the producer for China’s label of generated content (GB 45438-2025), which films and posters then have',
  ),
  VENDOR_WATERMARK: setting(
    is.flag,
    'off',
    '`on`: vendors that leave it open put their visible watermark into films: docs/provenance.md#watermarks',
  ),

  DATABASE_URL: optional(
    is.databaseUrl,
    'the embedded PostgreSQL, with a warning',
    'PostgreSQL 15 or newer, one host over TCP; roles and rights: docs/deployment.md#the-database',
    'inAddress',
  ),
  DATABASE_URL_DIRECT: optional(
    is.databaseUrl,
    '`DATABASE_URL`',
    'address for migrations: a role that owns the tables, so that the service’s own needs no more than their rows',
    'inAddress',
  ),
  DATABASE_POOLER: setting(
    is.oneOf(['off', 'transaction']),
    'off',
    '`transaction`: `DATABASE_URL` leads to pgbouncer or another pooler: docs/growing.md#behind-a-pooler',
  ),
  DATABASE_CONNECTIONS: setting(
    is.integer(1, 1000),
    '16',
    'connections of a process; with `--processes` 3 or more the default is 32 divided by their number, at least 4',
  ),

  AUTH_SECRET: optional(
    is.secret,
    'required',
    'signs sessions and links, and seals what the database stores; make one with: openssl rand -base64 32',
    'generated',
  ),
  AI_CALLBACK_SECRET: optional(
    is.secret,
    'derived from `AUTH_SECRET`',
    'signs the callback links of providers; a value of its own lets you change either secret alone',
    'generated',
  ),

  CATALOGUE_DIR: optional(
    is.text,
    'none: the folder `catalogue` of the release alone',
    'folder of your own beside that: its `models` and the accounts of its `providers.json` are added, its `plans.json` and `templates.json` count alone',
  ),
  CREDIT_USD: optional(
    is.positive,
    'the cheapest credit of `plans.json`',
    'what a credit is worth in USD, for prices that follow from costs',
  ),
  PROVIDER_SIMULATOR_URL: optional(
    is.url,
    'that of the simulator of `npm start`',
    'address of the simulator, which stands in for each provider whose key is `simulator`',
  ),
  'PROVIDER_<ID>_URL': optional(
    is.url,
    'the vendor’s public address',
    'address of an AI provider of `catalogue/providers.json`, such as `PROVIDER_A_URL` for provider-a, which has no public one; at least one provider is required',
  ),
  'PROVIDER_<ID>_API_KEY': optional(is.text, 'required in production', 'key of the provider', 'foreign'),
  'PROVIDER_<ID>_WEBHOOK_KEY': optional(
    is.text,
    'only Kinora’s own signature is checked',
    'key of a provider’s own signature of callbacks, which is valid for five minutes',
    'own',
  ),
  PROVIDER_TIMEOUT: setting(is.duration(), '30s', 'timeout of one call to a provider'),
  AI_CALLBACK_URL: optional(is.url, '`PUBLIC_URL` + `/api/v1/video/callback`', 'address that providers call back'),
  MODERATION_URL: optional(
    is.url,
    'no moderation',
    'service that decides about prompt and images before credits are frozen: docs/moderation.md',
  ),
  MODERATION_FORMAT: setting(
    is.oneOf(['kinora', 'openai']),
    'kinora',
    'contract of that service: Kinora’s own, or `openai` with `MODERATION_URL=https://api.openai.com/v1/moderations`',
  ),
  MODERATION_API_KEY: optional(is.text, 'none is sent', 'key of that service, sent as a Bearer token', 'foreign'),
  MODERATION_TIMEOUT: setting(is.duration(30), '5s', 'timeout of one question to it'),
  MODERATION_FAIL: setting(
    is.oneOf(['closed', 'open']),
    'closed',
    'what becomes of a request without a verdict in time: `closed`: 503; `open`: the film is made',
  ),
  MODERATION_UNSEEN: setting(
    is.oneOf(['allow', 'refuse']),
    'allow',
    'what becomes of a request with sounds, or films, that service cannot be shown: docs/moderation.md',
  ),
  RENDER_CREDITS: setting(is.integer(0, 10_000), '0', 'credits for a begun minute of a cut of a project'),
  WRITER_URL: optional(
    is.url,
    'no writer',
    'OpenAI-shaped endpoint of a language model that proposes prompts and shots, such as `https://api.openai.com/v1`: docs/deployment.md',
  ),
  WRITER_API_KEY: optional(is.text, 'none is sent', 'key of that endpoint, sent as a Bearer token', 'foreign'),
  WRITER_MODEL: optional(is.text, 'none; WRITER_URL needs one', 'name of the language model there'),
  WRITER_TIMEOUT: setting(is.duration(300), '60s', 'timeout of one question to it'),
  CONSENT_TEXT: setting(
    is.text,
    'Every person who is seen or heard in what I send has agreed to it.',
    'statement that a user makes once, before films of portraits, motions and sounds; a new text is asked for again; `off`: none',
  ),
  FILM_BYTES_MAX: setting(is.integer(1, 1024 ** 4), '2147483648', 'size above which a film is refused'),
  FILM_DURATION_SHARE_MIN: setting(
    is.ratio,
    '0.5',
    'share of the ordered seconds below which a film is not as ordered: it fails and the credits come back; `0`: none is',
  ),
  FILM_SIZE_SHARE_MIN: setting(is.ratio, '0.5', 'the same for the short side of the ordered resolution'),
  FETCH_ALLOW: optional(is.hostPorts, 'none', 'private addresses from which results may be fetched'),
  INLINE_START_IMAGE: setting(is.flag, 'off', '`on`: Kinora fetches and checks linked inputs, not the provider'),

  S3_BUCKET: optional(is.text, 'films are in `DATA_DIR`', 'bucket of films; needed on several machines'),
  STORAGE: optional(
    is.oneOf(['folder', 's3']),
    '`s3` with `S3_BUCKET`, else `folder`',
    '`folder` beside `S3_BUCKET`: the way back, on which films in the bucket are still read: [growing](growing.md#films)',
  ),
  FILES_URL: optional(is.origin, 'the bucket’s address', 'CDN in front of the bucket: docs/growing.md#films'),
  BACKUP_TO: optional(
    is.text,
    'the command names it',
    'where `kinora backup` writes: a file, a folder or `s3://bucket/prefix`: docs/backup.md',
  ),
  BACKUP_KEEP: optional(is.integer(1, 10_000), 'all', 'how many backups are kept there'),
  '<BACKUP_|>S3_ENDPOINT': optional(is.url, 'AWS', 'address of an S3-compatible service'),
  '<BACKUP_|>S3_REGION': setting(is.text, 'us-east-1', 'region of the bucket'),
  '<BACKUP_|>S3_ACCESS_KEY_ID': optional(is.text, 'required with `S3_BUCKET`', 'id of the access key', 'unshared'),
  '<BACKUP_|>S3_SECRET_ACCESS_KEY': optional(is.text, 'required with `S3_BUCKET`', 'access key', 'foreign'),
  '<BACKUP_|>S3_FORCE_PATH_STYLE': optional(
    is.flag,
    '`on` with `S3_ENDPOINT`',
    '`on`: the bucket is in the path of its address; `off`: in the host name',
  ),
  FILE_URL_TTL: setting(is.duration(), '24h', 'life of a signed link to a film or image'),

  ADMIN_EMAIL: optional(is.text, 'none', 'administrator that start-up creates'),
  ADMIN_PASSWORD: optional(is.password, 'required with `ADMIN_EMAIL`', 'password of that administrator', 'own'),
  SESSION_IDLE_TIMEOUT: setting(
    is.durationOr('off', { min: '5m' }),
    'off',
    'how long a session lives without a request',
  ),
  SIGN_UP: setting(
    is.oneOf(['open', 'invite', 'closed']),
    'open',
    'who may make an account, with a password or at a provider: `open`: everyone; `invite`: who has an invitation of an administrator or of `kinora invite`; `closed`: administrators alone make them',
  ),
  ADMIN_SECOND_FACTOR: setting(
    is.oneOf(['optional', 'required']),
    'optional',
    'whether an administrator needs a second factor: `required`: without the codes of an app, or a sign-in with a passkey, an administrator has the rights of a user',
  ),
  NEW_USER_CREDITS: setting(is.integer(0, 1_000_000), '60', 'new-user gift, valid for 30 days; `0`: none'),
  GIFT_AFTER: optional(
    is.oneOf(['verification', 'sign-up']),
    '`verification` with `SMTP_URL` or a provider of sign-in, else `sign-up`',
    'when a new user has the gift. `verification`: once the address is verified; while the mail server is away every generate of a new user is 402. `sign-up`: at once, also for an address that no one reads',
  ),
  GIFTS_PER_NETWORK: optional(
    is.integer(0, 1_000_000),
    '`5`, `0` with `RATE_LIMITS=off`',
    'gifts of a network (IPv4 /24, IPv6 /64) on a day in UTC; `0`: no cap. Outside production this machine itself has none. Behind a proxy set `TRUST_PROXY`, or all users are one network',
  ),
  GIFT_DENIED_DOMAINS: optional(
    is.domains,
    'none',
    'domains of e-mail addresses that get no gift, with their subdomains',
  ),
  GIFT_DENIED_DOMAINS_FILE: optional(is.domainFile, 'none', 'more of these domains'),
  REFUND_GRACE: setting(
    is.duration(),
    '24h',
    'how long credits that are released after their package has expired can be used at most',
  ),
  OWED: setting(
    is.oneOf(['keep', 'collect']),
    'keep',
    'what becomes of used credits of a payment that was refunded: `keep`: the user owes them until an administrator collects or ' +
      'forgives them; `collect`: the next credits that the user gets pay for them first',
  ),

  TIME_ZONE: setting(
    is.timeZone,
    'UTC',
    'time zone of the operator’s books: the days, months and quarters of administrators’ reports begin there',
  ),
  BRAND_NAME: setting(is.text, 'Kinora', 'name of the service on its pages and in its mails'),
  BRAND_LOGO: optional(
    is.imageFile,
    'the mark of Kinora',
    'file with the logo that stands before the name: SVG, PNG or WebP',
  ),
  BRAND_COLOR: optional(
    is.colour,
    '`#f2b03d`',
    'accent colour, such as `#2f6df6`; its shades for text are made darker or lighter until their contrast is 7:1, and text on it is black or white, whichever has more',
  ),
  WELCOME_FILM: optional(
    is.sharedFilm,
    'a sample of a model, else a drawn film',
    'link of a film shared here, which plays on the page that visitors see first',
  ),
  EXPLORE: setting(
    is.flag,
    'off',
    '`on`: users may publish films on the page `/explore`, which everyone reads; users report films, administrators remove them',
  ),
  TERMS_URL: optional(is.link, 'no link', 'terms of use, at sign-up and at the foot of each page'),
  PRIVACY_URL: optional(is.link, 'no link', 'privacy notice, in the same places'),
  SUPPORT_URL: optional(is.link, 'no link', 'where users get help: a page, or `mailto:` and an address'),

  '<GOOGLE|GITHUB>_CLIENT_ID': optional(
    is.text,
    'no sign-in with it',
    'id of the OAuth client; its redirect address is `PUBLIC_URL` + `/api/auth/callback/google` or `…/github`',
  ),
  '<GOOGLE|GITHUB>_CLIENT_SECRET': optional(is.text, 'required with the id', 'secret of that client', 'foreign'),
  'OIDC_<ID>_ISSUER': optional(
    is.secureUrl,
    'no sign-in with it',
    'issuer of an OpenID provider, such as `OIDC_COMPANY_ISSUER`; the redirect address ends in the id in lower case, here `company`',
  ),
  'OIDC_<ID>_CLIENT_ID': optional(is.text, 'required with the issuer', 'id of its client'),
  'OIDC_<ID>_CLIENT_SECRET': optional(is.text, 'required with the issuer', 'secret of its client', 'foreign'),
  'OIDC_<ID>_NAME': optional(is.text, 'the id', 'name that the sign-in page shows'),
  CAPTCHA_PROVIDER: optional(
    is.oneOf(CAPTCHA_PROVIDERS),
    'no CAPTCHA',
    'CAPTCHA of sign-up by e-mail and password. The key of `google-recaptcha` is of version 2, with a checkbox; a program sends the response in the header `X-Captcha-Response`',
  ),
  CAPTCHA_SECRET: optional(is.text, 'required with `CAPTCHA_PROVIDER`', 'secret of the CAPTCHA', 'foreign'),
  CAPTCHA_SITE_KEY: optional(is.text, 'required with `CAPTCHA_PROVIDER`', 'site key of the CAPTCHA'),
  CAPTCHA_VERIFY_URL: optional(is.secureUrl, 'the provider’s', 'where the response is verified'),

  'PAYMENT_<PROCESSOR>_API_KEY': optional(
    is.text,
    'it sells nothing',
    `key of the payment processor; ${dialects}`,
    'foreign',
  ),
  'PAYMENT_<PROCESSOR>_WEBHOOK_SECRET': optional(is.secret, 'required with the key', 'signs its webhooks', 'generated'),
  'PAYMENT_<PROCESSOR>_URL': optional(is.url, 'the live API', 'another address of the processor'),
  RECONCILE_DAYS: setting(is.integer(1, 365), '7', 'days of payments that are compared with the processors’ accounts'),
  RECONCILE_EVERY: setting(
    is.durationOr('off'),
    '6h',
    'how often the worker compares them; `off`: only `kinora reconcile` does',
  ),

  MAX_IN_PROGRESS: setting(
    is.integer(0, 1_000_000),
    '20',
    'videos of one user, or of one team, at a time; `0`: no cap',
  ),
  ASSET_BYTES: setting(
    is.integer(0, Number.MAX_SAFE_INTEGER),
    '5000000000',
    'bytes of the pictures, films and sounds that one user, or one team, keeps as inputs, with uploads that are not complete',
  ),
  RATE_LIMITS: setting(
    is.flag,
    'on',
    'a minute: per user 60 generates, 30 uploads and 600 other requests; without a credential per address (IPv6: a /64) 600 requests, 6,000 of files of the studio and `/docs`, and 10 sign-ins',
  ),
  RATE_LIMIT_STORE: setting(
    is.oneOf(['memory', 'postgresql']),
    'memory',
    'where requests are counted: in the memory of each `kinora api`, with all its processes, or for several machines in PostgreSQL',
  ),

  DELETED_KEPT: kept('30d', 'films of deleted videos; `0`: until the next sweep', { isZero: true }),
  KEEP_FILMS: kept('forever', 'films and thumbnails of all videos'),
  KEEP_TEST_FILMS: kept('24h', 'films of test keys, which are then deleted, and what test keys uploaded'),
  KEEP_SESSIONS: kept('7d', 'sessions, after their end'),
  KEEP_VERIFICATIONS: kept('1d', 'verifications, after their end'),
  KEEP_PROVIDER_TASKS: kept('90d', 'task of each video at its provider, for late callbacks'),
  KEEP_VIDEO_LOGS: kept('180d', 'log of each video, step by step'),
  KEEP_PAYMENT_BODIES: kept('400d', 'bodies of payment events that are final'),
  KEEP_WEBHOOK_DELIVERIES: kept('30d', 'deliveries of webhooks, whose retries take three days', { min: '4d' }),
  KEEP_MAILS: kept('30d', 'messages of the outbox'),
  KEEP_GIFT_ADDRESSES: kept('400d', 'keyed hashes of the addresses that had the gift'),

  SMTP_URL: optional(
    is.smtpUrl,
    'mails wait in the page *Mails*',
    'mail server; with one the gift waits for a verified address: `GIFT_AFTER`',
    'inAddress',
  ),
  MAIL_FROM: optional(is.mailbox, 'required with `SMTP_URL`', 'sender of mail'),
  WEBHOOK_ALLOW: optional(is.hostPorts, 'none', 'private addresses, or http, that users’ webhooks may reach'),
  WEBHOOK_TIMEOUT: setting(is.duration(30), '15s', 'timeout of one attempt of a webhook'),

  'OTEL_EXPORTER_OTLP_<TRACES_|>ENDPOINT': optional(is.address, 'no traces', 'collector: docs/observability.md#traces'),
  'OTEL_EXPORTER_OTLP_<TRACES_|>HEADERS': optional(is.pairs, 'none', 'such as `authorization=Bearer%20…`', 'unshared'),
  'OTEL_EXPORTER_OTLP_<TRACES_|>PROTOCOL': setting(
    is.oneOf(['http/protobuf', 'http/json']),
    'http/protobuf',
    'encoding of traces',
  ),
  'OTEL_EXPORTER_OTLP_<TRACES_|>COMPRESSION': optional(is.text, 'none', '`gzip`: traces are compressed'),
  'OTEL_EXPORTER_OTLP_<TRACES_|>TIMEOUT': setting(is.integer(1, 60_000), '10000', 'milliseconds of one export'),
  OTEL_SERVICE_NAME: optional(is.text, '`kinora`', 'name that the spans give their service'),
  OTEL_RESOURCE_ATTRIBUTES: optional(is.pairs, 'none', 'what else the spans say of where they come from'),
  OTEL_TRACES_SAMPLER: optional(is.sampler, 'all, one in 16 of ordinary reads', 'sampler, which counts for reads too'),
  OTEL_TRACES_SAMPLER_ARG: setting(is.ratio, '1', 'share of traces that `traceidratio` sends'),
  OTEL_SDK_DISABLED: optional(is.text, 'off', '`true`: no traces'),
  OTEL_TRACES_EXPORTER: optional(is.text, '`otlp`', '`none`: no traces'),
}

/** The headings of docs/settings.md, each before a setting. */
export const headings: Partial<Record<SettingName, string>> = {
  PUBLIC_URL: 'Service',
  DATABASE_URL: 'Database',
  AUTH_SECRET: 'Secrets',
  CATALOGUE_DIR: 'Catalogue and AI providers',
  S3_BUCKET: 'Storage and backups',
  ADMIN_EMAIL: 'Accounts and the gift',
  BRAND_NAME: 'Name and look',
  '<GOOGLE|GITHUB>_CLIENT_ID': 'Ways to sign in',
  'PAYMENT_<PROCESSOR>_API_KEY': 'Payments',
  MAX_IN_PROGRESS: 'Limits',
  DELETED_KEPT: 'How long data is kept',
  SMTP_URL: 'Mail and webhooks',
  'OTEL_EXPORTER_OTLP_<TRACES_|>ENDPOINT': 'Traces',
}

export type SettingName = keyof typeof settings
export type SettingValue<N extends SettingName> = (typeof settings)[N] extends Setting<infer T> ? T : never

/** @returns the names that a declared one stands for; a part that stands for any stays as it is */
export function namesOf(declared: string): string[] {
  const [part, inside = ''] = /<([^>]*)>/.exec(declared) ?? []
  const alternatives = inside === 'PROCESSOR' ? processorNames.map(processorPart) : inside.split('|')
  if (part === undefined || alternatives.length === 1) return [declared]
  return alternatives.map((each) => declared.replace(part, each))
}

const patterns = Object.entries<Setting<unknown>>(settings).flatMap(([declared, found]) =>
  namesOf(declared).map((name) => [new RegExp(`^${name.replace(/<\w+>/, '[A-Z0-9_]+')}$`), found] as const),
)

/** The declaration of a variable of the environment, such as `PROVIDER_A_URL`; undefined unless it is a setting. */
export const declarationOf = (variable: string): Setting<unknown> | undefined =>
  patterns.find(([pattern]) => pattern.test(variable))?.[1]
