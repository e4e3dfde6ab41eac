/**
 * The addresses of the database. Checked at the start, because the driver takes an address that it does not understand for another
 * one: an unknown host is tried again for ever, and an unknown `sslmode` counts as `verify-full`. A problem never quotes the address,
 * which has a password.
 */
import type { SettingReader } from './setting-reader.ts'

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
/** Of libpq, in place of a part of the address. The driver would send them to PostgreSQL as settings of the session. */
const PARTS = ['host', 'hostaddr', 'port', 'user', 'password', 'dbname']
const ENCODE = 'in a user or password write % as %25, / as %2F, # as %23, ? as %3F and @ as %40'

export function readDatabaseUrl({ text, problems }: SettingReader, name: string, fallback?: string): string {
  const value = text(name, fallback)
  if (value && value !== fallback) problems.push(...databaseUrlProblems(value).map((problem) => `${name} ${problem}`))
  return value
}

/** @returns what is wrong with an address, each behind the name of its setting; empty: nothing */
export function databaseUrlProblems(value: string): string[] {
  if (!/^postgres(ql)?:\/\//.test(value)) return ['must start with postgres:// or postgresql://']
  if (/^[^:]+:\/\/[^/?#]*,[^/?#]*/.test(withoutUser(value))) {
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

/** As the driver does, which looks for hosts behind the first @. */
const withoutUser = (value: string): string => value.replace(/:\/\/[^@/?#]*@/, '://')

const isEncoded = ({ username, password, hostname }: URL): boolean => {
  try {
    decodeURIComponent(username + password + hostname)
    return true
  } catch {
    return false
  }
}
