/**
 * Which addresses the guarded fetcher may reach, and the socket connector that holds to it. The rule: everything is
 * refused but global unicast on https, unless the operator has named the `host:port`.
 *
 * A name is judged inside the socket's own lookup: what the socket connects to is what was judged there. There is no
 * second resolution that a hostile resolver could answer differently.
 */
import dns from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { FetchRefused } from './fetch-error.ts'

/** The addresses of a host name; stands in for the system's resolver in tests. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/** Ports that films and images are really served from. Others mostly belong to things that should not be poked. */
const HTTPS_PORTS = new Set(['443', '8443'])

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Global unicast by the registry, yet answered inside a large cloud by the host machine's own services. */
const CLOUD_INTERNAL = new Set(['168.63.129.16'])

/**
 * Reads the operator's `host:port` entries the way URLs are read, so that `LOCALHOST:9000` and `[0:0::1]:9000` match.
 * @throws Error that names an entry which is no host and port
 */
export function readAllowList(entries: readonly string[]): ReadonlySet<string> {
  return new Set(
    entries.map((entry) => {
      const url = URL.parse(`http://${entry}`)
      const bare = url?.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
      if (!url || !bare || !/:\d+$/.test(entry)) throw new Error(`"${entry}" is not a host:port to allow.`)
      return hostPort('http:', url.hostname, url.port)
    }),
  )
}

/**
 * Judges a URL before anything is looked up. WHATWG parsing has already turned decimal, hexadecimal, octal, short and
 * full-width spellings of an IPv4 address into the plain one.
 * @throws FetchRefused
 */
export function checkUrl(url: URL, allowed: ReadonlySet<string>): void {
  // Credentials in a URL are either a mistake or a way to make a hostile host look like a friendly one.
  if (url.username || url.password) {
    throw new FetchRefused('ADDRESS_REFUSED', 'An address with a user name or password in it cannot be fetched.')
  }
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  if (isHttp && allowed.has(hostPort(url.protocol, url.hostname, url.port))) return
  if (url.protocol !== 'https:') throw new FetchRefused('SCHEME_REFUSED', 'Only https addresses can be fetched.')
  if (!HTTPS_PORTS.has(url.port || '443')) {
    throw new FetchRefused('PORT_REFUSED', 'Only addresses on port 443 or 8443 can be fetched.')
  }
  if (isForbiddenHost(withoutBrackets(url.hostname))) throw notPublic(url.hostname)
}

/** @param address an IPv4 or IPv6 address, without brackets; anything else is not public */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false
  const parsed = ipaddr.parse(address)
  // The library's `unicast` means "in none of the special ranges I know"; for IPv6 only 2000::/3 has been handed out,
  // so everything outside it (IPv4-compatible ::/96 among it) is refused without being known.
  if (parsed.range() !== 'unicast' || CLOUD_INTERNAL.has(address)) return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6)
}

/** The connector for every socket of the fetcher. It fails with `FetchRefused` before anything is connected to. */
export function guardedConnector(allowed: ReadonlySet<string>, lookup: Lookup | undefined, timeoutMs: number) {
  const connector = (judged: boolean) =>
    buildConnector({
      allowH2: false,
      timeout: timeoutMs,
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      lookup: socketLookup(lookup ?? (judged ? askDns : askSystem), judged),
    })
  const anywhere = connector(false)
  const publicOnly = connector(true)
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const host = withoutBrackets(options.hostname)
    if (allowed.has(hostPort(options.protocol, host, options.port))) anywhere(options, callback)
    // A socket looks up names only, so a literal address is judged here.
    else if (isForbiddenHost(host)) callback(notPublic(host), null)
    else publicOnly(options, callback)
  }
}

/** For hosts the operator named: they may stand in `/etc/hosts` or wherever else the system looks. */
async function askSystem(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/**
 * For names from outside. The system's resolver runs on two of the process's threads: an honest look-up behind twelve
 * names whose servers keep silent took 60 s. DNS asked directly waits for nobody; it took 2 ms beside the same twelve.
 */
async function askDns(hostname: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  const [first] = families
  if (found.length === 0 && first.status === 'rejected') throw first.reason
  return found
}

function socketLookup(lookup: Lookup, judged: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first) callback(new Error(`${hostname} has no address`), '')
        // One private address among public ones is refused too: no honest host has such a pair.
        else if (judged && !addresses.every(isPublicAddress)) callback(notPublic(hostname), '')
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

/** The key under which an allow-list entry and a URL meet: lower-case host (IPv6 in brackets) and effective port. */
function hostPort(protocol: string, hostname: string, port: string): string {
  const host = withoutBrackets(hostname.toLowerCase())
  return `${host.includes(':') ? `[${host}]` : host}:${port || (protocol === 'https:' ? '443' : '80')}`
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isForbiddenHost(host: string): boolean {
  if (isIP(host)) return !isPublicAddress(host)
  const name = host.replace(/\.+$/, '')
  return name === '' || name === 'localhost' || name.endsWith('.localhost')
}

/** What the name resolves to stays out of the sentence: it would tell a stranger about the operator's network. */
function notPublic(hostname: string): FetchRefused {
  return new FetchRefused('ADDRESS_REFUSED', `${hostname} is not an address on the public Internet.`)
}
