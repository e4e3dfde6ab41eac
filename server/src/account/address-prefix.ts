/** The part of an IP address that one subscriber has: what is limited by address is limited by it. */
import ipaddr from 'ipaddr.js'

/** An IPv6 subscriber has a /64 at least, 2^64 addresses to send from. */
const IPV6_PREFIX_BYTES = 8

/**
 * The IPv4 address, or the first 64 bits of the IPv6 address as 16 hexadecimal digits. An address and port, as some
 * proxies add to X-Forwarded-For, is that address. `unknown` for all that is no address, so that it cannot evade a
 * limit.
 */
export function addressPrefix(address: string | undefined): string {
  if (!address) return UNKNOWN
  const [, bracketed, v4] = /^(?:\[([0-9a-f:.]{2,45})\](?::\d+)?|(\d{1,3}(?:\.\d{1,3}){3}):\d+)$/i.exec(address) ?? []
  const bare = (bracketed ?? v4 ?? address).split('%', 1)[0] ?? ''
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare).toString()
  if (bare.length > 45 || !ipaddr.IPv6.isValid(bare)) return UNKNOWN
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return Buffer.from(parsed.toByteArray().slice(0, IPV6_PREFIX_BYTES)).toString('hex')
}

const UNKNOWN = 'unknown'
