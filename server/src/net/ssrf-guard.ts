/**
 * The SSRF guard: decides which addresses `safe-fetch.ts` and `safe-post.ts` may connect to, and builds the socket
 * connector that enforces it. Invariant: only global unicast addresses over https are reachable, plus the `host:port`
 * pairs on the operator's allowlist.
 *
 * Host names are checked inside the socket's own lookup, so the socket connects to the address that was checked. A
 * second resolution would allow DNS rebinding.
 */
import dns from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { FetchError } from './fetch-error.ts'

/** Resolves a host name to its addresses. Tests replace the DNS resolver with it. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/** Ports that web servers use. Other ports mostly belong to services that are no web servers. */
const HTTPS_PORTS = new Set(['443', '8443'])

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * The last labels of names that only private networks resolve: RFC 6762, RFC 8375, ICANN's `.internal`, and names in
 * common use. The metadata services of clouds are among them; Google's has a name in a public domain too.
 */
const INTERNAL_NAMES = [
  'localhost',
  'local',
  'internal',
  'localdomain',
  'home.arpa',
  'home',
  'lan',
  'intranet',
  'corp',
  'private',
  'svc',
  'onion',
  'metadata.goog',
]

/** Azure's virtual public IP: global unicast by the registry, but inside Azure it reaches the host's own services. */
const CLOUD_INTERNAL = new Set(['168.63.129.16'])

/**
 * Parses the operator's `host:port` entries as URLs, so that `LOCALHOST:9000` and `[0:0::1]:9000` match.
 * @throws Error that names an entry which is not a host and port
 */
export function parseAllowlist(entries: readonly string[]): ReadonlySet<string> {
  return new Set(
    entries.map((entry) => {
      const url = URL.parse(`http://${entry}`)
      const isBare = url?.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
      if (!url || !isBare || !/:\d+$/.test(entry)) throw new Error(`"${entry}" is not a host:port to allow.`)
      return hostPort('http:', url.hostname, url.port)
    }),
  )
}

/**
 * Checks a URL without a DNS lookup. WHATWG parsing has already normalised decimal, hexadecimal, octal, short and
 * full-width spellings of an IPv4 address.
 * @throws FetchError URL_REFUSED, ADDRESS_REFUSED, SCHEME_REFUSED, PORT_REFUSED
 */
export function checkUrl(url: URL, allowlist: ReadonlySet<string>): void {
  // Credentials in a URL are either a mistake or a disguise: https://example.com@evil.example.
  if (url.username || url.password) {
    throw new FetchError('URL_REFUSED', 'An address with a user name or password in it cannot be fetched.')
  }
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  if (isHttp && allowlist.has(hostPort(url.protocol, url.hostname, url.port))) return
  // Before the scheme and the port: another one would not help.
  if (isHttp && isForbiddenHost(withoutBrackets(url.hostname))) throw notPublic(url.hostname)
  if (url.protocol !== 'https:') throw new FetchError('SCHEME_REFUSED', 'Only https addresses can be fetched.')
  if (!HTTPS_PORTS.has(url.port || '443')) {
    throw new FetchError('PORT_REFUSED', 'Only addresses on port 443 or 8443 can be fetched.')
  }
}

/** @param address an IPv4 or IPv6 address without brackets; any other text is not public */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false
  const parsed = ipaddr.parse(address)
  // The library's `unicast` means "in no special range that it knows". For IPv6 only 2000::/3 has been allocated, so
  // every other address (IPv4-compatible ::/96 included) is refused.
  if (parsed.range() !== 'unicast' || CLOUD_INTERNAL.has(address)) return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6)
}

/** The undici connector of sockets of `safe-fetch.ts` and `safe-post.ts`. `FetchError` comes before a connection. */
export function guardedConnector(allowlist: ReadonlySet<string>, lookup: Lookup | undefined, timeoutMs: number) {
  const connector = ({ publicOnly }: { publicOnly: boolean }) =>
    buildConnector({
      allowH2: false,
      timeout: timeoutMs,
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      lookup: socketLookup(lookup ?? (publicOnly ? resolveByDns : resolveBySystem), publicOnly),
    })
  const connectAnywhere = connector({ publicOnly: false })
  const connectPublic = connector({ publicOnly: true })
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const host = withoutBrackets(options.hostname)
    if (allowlist.has(hostPort(options.protocol, host, options.port))) connectAnywhere(options, callback)
    // Sockets look up names only, so literal addresses are checked here.
    else if (isForbiddenHost(host)) callback(notPublic(host), null)
    else connectPublic(options, callback)
  }
}

/**
 * Resolves the host of a URL that `checkUrl` has accepted, without connecting. Only the socket's own lookup is safe
 * against DNS rebinding; this check is for URLs that another service will fetch.
 * @throws FetchError ADDRESS_REFUSED: a private address, or no such name, alike, so that a caller cannot find out which
 * names
 *   the operator's DNS servers know; errors of the resolver
 */
export async function checkHost(
  url: URL,
  allowlist: ReadonlySet<string>,
  lookup: Lookup = resolveByDns,
): Promise<void> {
  const host = withoutBrackets(url.hostname)
  if (isIP(host) || allowlist.has(hostPort(url.protocol, host, url.port))) return
  const addresses = await lookup(host).catch((error: Error & { code?: string }) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
    throw error
  })
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw notPublic(host)
}

/** Resolves allowlisted hosts, which may be defined in `/etc/hosts` or another source of the system resolver. */
async function resolveBySystem(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/**
 * Resolves untrusted names. `dns.lookup` (getaddrinfo) runs on two threads of the process: a valid lookup queued behind
 * twelve names whose DNS servers do not respond took 60 s. Direct DNS queries do not queue: 2 ms beside the same
 * twelve.
 */
async function resolveByDns(hostname: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  const [first] = families
  if (found.length === 0 && first.status === 'rejected') throw first.reason
  return found
}

function socketLookup(lookup: Lookup, publicOnly: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first) callback(new Error(`${hostname} has no address`), '')
        // One private address among public ones is enough to refuse: no legitimate host has such a mix.
        else if (publicOnly && !addresses.every(isPublicAddress)) callback(notPublic(hostname), '')
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

/** The normal form of compared allowlist entries and URLs: lower-case host (IPv6 in brackets), effective port. */
function hostPort(protocol: string, hostname: string, port: string): string {
  const host = withoutBrackets(hostname.toLowerCase())
  return `${host.includes(':') ? `[${host}]` : host}:${port || (protocol === 'https:' ? '443' : '80')}`
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isForbiddenHost(host: string): boolean {
  if (isIP(host)) return !isPublicAddress(host)
  const name = host.toLowerCase().replace(/\.+$/, '')
  // A name of one label is completed by the resolver's search domains, to a host of the operator's network.
  return !name.includes('.') || INTERNAL_NAMES.some((internal) => name === internal || name.endsWith(`.${internal}`))
}

/** The message omits the resolved address, which would disclose the operator's internal network. */
function notPublic(hostname: string): FetchError {
  return new FetchError('ADDRESS_REFUSED', `${hostname} is not an address on the public Internet.`)
}
