/**
 * Kinds of settings: how a value is read, and the words for what it may be, which docs/settings.md and the problem of a
 * wrong value have in common.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { percentDecoded } from '../text/percent-decoded.ts'

export type Context = {
  name: string
  production: boolean
  /** Receives a sentence for what is wrong, in place of the one that `form` makes. */
  problems: string[]
}
export type Kind<T> = {
  /** Follows "must be". */
  form: string
  /** @returns undefined for a wrong value */
  parse: (value: string, context: Context) => T | undefined
}
export type SmtpSettings = {
  host: string
  port: number
  /** TLS from the first byte (smtps); otherwise STARTTLS. */
  isSecure: boolean
  /** Nothing is sent without STARTTLS. */
  requiresTls: boolean
  login: { user: string; password: string } | null
}

/** Excludes line breaks and what separates addresses: the value becomes a header. */
const MAIL_ADDRESS = /^[^\s<>(),;:"@]+@[^\s<>(),;:"@]+$/
const SAMPLER = /^(parentbased_)?(always_on|always_off|traceidratio)$/
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
/** libpq takes these parameters in place of a part of the address; the driver would send them as settings. */
const PARTS = ['host', 'hostaddr', 'port', 'user', 'password', 'dbname']
const ENCODE = 'percent-encode user and password: write % as %25, / as %2F, # as %23, ? as %3F and @ as %40'
export const DURATION = 'a time such as 90s, 15m, 24h or 7d'

export const text: Kind<string> = { form: 'text', parse: (value) => value }

export const flag: Kind<boolean> = {
  form: 'on or off',
  parse: (value) => {
    if (['on', 'true', '1', 'yes'].includes(value.toLowerCase())) return true
    return ['off', 'false', '0', 'no'].includes(value.toLowerCase()) ? false : undefined
  },
}

export const integer = (min: number, max: number): Kind<number> => ({
  form: `a whole number from ${min} to ${max}`,
  parse: (value) => (Number.isInteger(Number(value)) ? between(Number(value), min, max) : undefined),
})

export const ratio: Kind<number> = {
  form: 'a number from 0 to 1',
  parse: (value) => between(Number(value), 0, 1),
}

export const positive: Kind<number> = {
  form: 'a number above 0',
  parse: (value) => (Number.isFinite(Number(value)) && Number(value) > 0 ? Number(value) : undefined),
}

/** A time zone, by its name in the IANA database. */
export const timeZone: Kind<string> = {
  form: 'a time zone such as Europe/Berlin',
  parse: (value) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
    } catch {
      return undefined
    }
  },
}

/** A word of a list, in any case. */
export const oneOf = <const T extends string>(values: readonly T[]): Kind<T> => ({
  form: values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`,
  parse: (value) => values.find((each) => each === value.toLowerCase()),
})

/** Seconds. */
export const duration = (maxS = Number.POSITIVE_INFINITY): Kind<number> => ({
  form: DURATION + (maxS === Number.POSITIVE_INFINITY ? '' : `, at most ${maxS}s`),
  parse: (value) => between(secondsOf(value), 1, maxS),
})

/** Seconds; null for the word. `isZero`: 0 is allowed. */
export const durationOr = (
  word: 'off' | 'forever',
  { min = '1s', isZero = false }: { min?: string; isZero?: boolean } = {},
): Kind<number | null> => ({
  form: `${DURATION}${min === '1s' ? '' : `, at least ${min}`}, or ${word}${isZero ? ', or 0' : ''}`,
  parse: (value) => {
    if (value.toLowerCase() === word) return null
    return isZero && value === '0' ? 0 : between(secondsOf(value), secondsOf(min) ?? 1)
  },
})

/** @returns undefined unless the text is a time above zero; a number without a unit is seconds */
export function secondsOf(value: string): number | undefined {
  const match = /^(\d{1,9})\s*(s|m|h|d)?$/.exec(value.trim())
  const unitS = { s: 1, m: 60, h: 3600, d: 86_400 }[match?.[2] ?? 's'] ?? 1
  return between(match ? Number(match[1]) * unitS : undefined, 1)
}

const between = (value: number | undefined, min: number, max = Number.POSITIVE_INFINITY): number | undefined =>
  value !== undefined && value >= min && value <= max ? value : undefined

export const address: Kind<string> = {
  form: 'an http(s) URL',
  parse: (value) => (/^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined),
}

/** An address to which paths are appended. */
export const url: Kind<string> = {
  form: address.form,
  parse: (value, context) => address.parse(value, context)?.replace(/\/+$/, ''),
}

export const origin: Kind<string> = {
  form: 'an http(s) URL without a path',
  parse: (value, context) => (URL.parse(value)?.pathname === '/' ? url.parse(value, context) : undefined),
}

/** The address of the service itself. */
export const publicUrl: Kind<string> = {
  form: origin.form,
  parse: (value, context) => {
    const found = address.parse(value, context)
    if (found === undefined || URL.parse(found)?.pathname === '/') return found && origin.parse(found, context)
    context.problems.push(
      `${context.name} must be ${origin.form}, not "${value}": pages, cookies and callbacks are at the root of a host; ` +
        'give the service a host name of its own, such as https://films.example.com',
    )
    return undefined
  },
}

/** What a service answers over plain http can be replaced on the way, and a secret that is sent there read. */
export const secureUrl: Kind<string> = {
  form: 'an https URL',
  parse: (value, context) =>
    URL.parse(value)?.protocol === 'https:' || !context.production ? url.parse(value, context) : undefined,
}

/** A page for people, or a mailbox. */
export const link: Kind<string> = {
  form: 'an http(s) URL or mailto:address',
  parse: (value) => (/^(https?|mailto):$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined),
}

/** @returns the path of the share's page */
export const sharedFilm: Kind<string> = {
  form: 'a link such as https://films.example.com/share/…',
  parse: (value) => {
    const path = URL.parse(value)?.pathname
    return path && /^\/share\/[\w-]+$/.test(path) ? path : undefined
  },
}

export const colour: Kind<string> = {
  form: 'a colour such as #f2b03d',
  parse: (value) => (/^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined),
}

export type ImageFile = { type: string; bytes: Buffer }
const IMAGE_TYPES: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' }

export const imageFile: Kind<ImageFile> = {
  form: 'an SVG, PNG or WebP file',
  parse: (file, { name, problems }) => {
    const type = IMAGE_TYPES[path.extname(file).toLowerCase()]
    if (!type) return undefined
    const bytes = bytesOf(file, { name, problems })
    return bytes && { type, bytes }
  },
}

/**
 * Checked at the start, because the driver takes an address that it does not understand for another one: an unknown
 * host is tried again for ever, and an unknown `sslmode` counts as `verify-full`. A problem never quotes the address,
 * which has a password.
 */
export const databaseUrl: Kind<string> = {
  form: 'postgres://user:password@host:port/database',
  parse: (value, { name, problems }) => {
    const found = databaseUrlProblems(value)
    problems.push(...found.map((problem) => `${name} ${problem}`))
    return found.length > 0 ? undefined : value
  },
}

/** @returns what is wrong with an address, each behind the name of its setting; empty: nothing */
export function databaseUrlProblems(value: string): string[] {
  if (!/^postgres(ql)?:\/\//.test(value)) return ['must start with postgres:// or postgresql://']
  const [authority = '', ...rest] = value.slice(value.indexOf('://') + 3).split(/[/?#]/)
  const signs = authority.split('@').length - 1
  // The driver and pg_dump look for the host behind the first @, a URL behind the last one.
  if (signs > 1 || (signs === 0 && rest.join('').includes('@')))
    return [`has an @, or another sign of an address, in its user or password: ${ENCODE}`]
  if (authority.slice(authority.indexOf('@') + 1).includes(',')) {
    return [
      'names several hosts, and Kinora connects to one: give the address of a proxy that follows the primary, such as HAProxy, ' +
        'or of a pooler behind one; see docs/high-availability.md',
    ]
  }
  const url = URL.parse(value)
  if (url === null || !isEncoded(url)) return [`is not a valid address: ${ENCODE}; a port is at most 65535`]
  if (url.hostname.startsWith('[')) return ['has an IPv6 address, which the driver does not take: give its host a name']
  if (/%2f/i.test(url.hostname) || url.searchParams.get('host')?.startsWith('/'))
    return ['leads to a Unix socket, and Kinora connects over TCP: postgres://user:password@127.0.0.1:5432/database']
  const sslModes = url.searchParams.getAll('sslmode')
  return [
    ...PARTS.flatMap((part) =>
      url.searchParams.has(part)
        ? [`has the parameter ${part}: put it into postgres://user:password@host:port/database`]
        : [],
    ),
    ...(sslModes.every((mode) => SSL_MODES.includes(mode))
      ? []
      : [`has an sslmode that is none of ${SSL_MODES.join(', ')}`]),
  ]
}

const isEncoded = ({ username, password, hostname }: URL): boolean => {
  try {
    decodeURIComponent(username + password + hostname)
    return true
  } catch {
    return false
  }
}

/** A text of this length in production; it counts as wrong without being lost, so that other checks see it. */
const atLeast = (min: number, unit: 'bytes' | 'characters', remedy = ''): Kind<string> => ({
  form: `at least ${min} ${unit}`,
  parse: (value, { name, production, problems }) => {
    const length = unit === 'bytes' ? Buffer.byteLength(value) : value.length
    if (production && length < min) problems.push(`${name} is shorter than ${min} ${unit}${remedy}`)
    return value
  },
})
export const secret = atLeast(24, 'bytes', '; make one with: openssl rand -base64 32')
export const password = atLeast(12, 'characters')

/** A number and not a flag, because a caller can forge X-Forwarded-For but for what proxies add. */
export const proxies: Kind<number> = {
  form: 'on, off, or how many proxies stand in front (0 to 9)',
  parse: (value, context) => {
    if (/^\d$/.test(value)) return Number(value)
    const isOn = flag.parse(value, context)
    return isOn === undefined ? undefined : Number(isOn)
  },
}

export const hostPorts: Kind<string[]> = {
  form: 'host:port pairs with commas between them',
  parse: (value) => {
    const entries = listOf(value)
    return entries.every((entry) => /^(\[[0-9a-f:.]+\]|[^\s:[\]]+):\d{1,5}$/i.test(entry)) ? entries : undefined
  },
}

/** Of pages: scheme, host and port alone, as the header Origin has them. */
export const origins: Kind<string[]> = {
  form: 'origins such as https://shop.example.com with commas between them',
  parse: (value) => {
    const entries = listOf(value)
    return entries.every((entry) => /^https?:/.test(entry) && URL.parse(entry)?.origin === entry) ? entries : undefined
  },
}

export const domains: Kind<string[]> = {
  form: 'domains with commas between them',
  parse: (value) => listOf(value).map((each) => each.toLowerCase()),
}

export const domainFile: Kind<string[]> = {
  form: 'a file with a domain on each line, and comments after #',
  parse: (file, context) => {
    const lines = contentOf(file, context)?.split('\n')
    return lines?.flatMap((line) => line.split('#', 1)[0]?.trim().toLowerCase() || [])
  },
}

const listOf = (value: string): string[] => value.split(',').flatMap((entry) => entry.trim() || [])

/** @returns undefined when the file cannot be read, which is a problem */
export const contentOf = (file: string, context: Omit<Context, 'production'>): string | undefined =>
  bytesOf(file, context)?.toString('utf8')

function bytesOf(file: string, { name, problems }: Omit<Context, 'production'>): Buffer | undefined {
  try {
    return readFileSync(file.trim())
  } catch (error) {
    problems.push(`${name}: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

export const smtpUrl: Kind<SmtpSettings> = {
  form: 'smtp://user:password@host:587, or smtps://user:password@host:465',
  parse: (value) => {
    const parsed = URL.parse(value)
    const isSecure = parsed?.protocol === 'smtps:'
    if (!parsed?.hostname || !(isSecure || parsed.protocol === 'smtp:')) return undefined
    if (parsed.search || !/^\/?$/.test(parsed.pathname)) return undefined
    const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
    const isLocal = host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
    const [user, login] = [parsed.username, parsed.password].map(percentDecoded)
    return {
      host,
      port: Number(parsed.port) || (isSecure ? 465 : 587),
      isSecure,
      requiresTls: !isSecure && !isLocal,
      login: user ? { user, password: login ?? '' } : null,
    }
  },
}

export const mailbox: Kind<{ name: string; address: string }> = {
  form: 'an e-mail address, such as no-reply@example.com or "Kinora <no-reply@example.com>"',
  parse: (value) => {
    const [, name = '', inBrackets] = /^([^<>\r\n]*)<([^<>]*)>$/.exec(value) ?? []
    const address = (inBrackets ?? value).trim()
    if (!MAIL_ADDRESS.test(address)) return undefined
    return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
  },
}

export const pairs: Kind<Record<string, string>> = {
  form: 'key=value pairs with commas between them, the values percent-encoded',
  parse: (list) => {
    const entries = listOf(list).map((entry) => /^([^=]+)=(.*)$/.exec(entry))
    try {
      return Object.fromEntries(
        entries.map((entry) => {
          if (!entry?.[1]?.trim()) throw new URIError()
          return [entry[1].trim(), decodeURIComponent(entry[2]?.trim() ?? '')]
        }),
      )
    } catch {
      return undefined
    }
  },
}

/** A sampler of OpenTelemetry. */
export const sampler: Kind<{ kind: string; isParentBased: boolean }> = {
  form: 'always_on, always_off or traceidratio, each with parentbased_ before it or not',
  parse: (value) => {
    const [, parentBased, kind] = SAMPLER.exec(value) ?? []
    return kind === undefined ? undefined : { kind, isParentBased: parentBased !== undefined }
  },
}
