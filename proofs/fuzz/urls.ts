/** Hostile URLs for the SSRF guard: private addresses in every notation, disguised hosts, other schemes and ports. */
import fc from 'fast-check'

const privateV4 = fc.constantFrom(
  '127.0.0.1',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.1.1',
  '172.16.0.1',
  '100.64.0.1',
  '0.0.0.0',
)

const notations: ((address: string) => string)[] = [
  (address) => address,
  (address) => String(numberOf(address)),
  (address) => `0x${numberOf(address).toString(16)}`,
  (address) => `0${numberOf(address).toString(8)}`,
  (address) =>
    partsOf(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  (address) =>
    partsOf(address)
      .map((part) => `0${part.toString(8).padStart(4, '0')}`)
      .join('.'),
  (address) => `${partsOf(address)[0]}.${numberOf(address) & 0xffffff}`,
  (address) => `${address}.`,
  (address) => address.replaceAll('.', '。'),
  (address) => address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (address) => [...address].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
  (address) => `[::ffff:${address}]`,
  (address) => `[::${address}]`,
  (address) => `[64:ff9b::${address}]`,
  (address) => `[0:0:0:0:0:FFFF:${address}]`,
]
const numberOf = (address: string) => partsOf(address).reduce((sum, part) => sum * 256 + part, 0)
const partsOf = (address: string) => address.split('.').map(Number)

const literal = fc.tuple(privateV4, fc.constantFrom(...notations)).map(([address, notation]) => notation(address))
const name = fc.constantFrom(
  ...[
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'metadata',
    'metadata.google.internal',
    'metadata.goog',
    'printer.local',
    'nas.home.arpa',
  ],
  ...[
    '[::1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[2002:7f00:1::]',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'kubernetes.default.svc',
    'localhost%2e',
    'x.internal',
  ],
)
const disguise = fc.constantFrom(
  (host: string) => host,
  (host: string) => `example.com@${host}`,
  (host: string) => `example.com:443@${host}`,
  (host: string) => `${host}:443`,
  (host: string) => `${host}:8443`,
  (host: string) => `${host}\\@example.com`,
  (host: string) => `${host}/\\example.com`,
  (host: string) => `${host}#@example.com`,
  (host: string) => `${host}?@example.com`,
  (host: string) => `\t${host}`,
)
const scheme = fc.constantFrom('https://', 'https:', 'https:\\\\', 'HTTPS:////', ' https://', 'ht\ntps://')
const otherScheme = fc
  .constantFrom('http', 'ftp', 'file', 'gopher', 'data', 'javascript', 'unix', 'ws', 'dict', 'jar', 'blob', 'ldap')
  .map((each) => `${each}://93.184.215.14/x`)
const otherPort = fc
  .integer({ min: 0, max: 70_000 })
  .filter((port) => port !== 443 && port !== 8443)
  .map((port) => `https://example.com:${port}/`)
/** Public by its name; the run's resolver leads it to a private address. */
const rebound = fc.domain().map((domain) => `https://${domain}/film.mp4`)

export const hostileUrl = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(scheme, disguise, fc.oneof(literal, name))
      .map(([start, hide, host]) => `${start}${hide(host)}/x`),
  },
  { weight: 1, arbitrary: otherScheme },
  { weight: 1, arbitrary: otherPort },
  { weight: 2, arbitrary: rebound },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
)
