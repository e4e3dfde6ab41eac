/**
 * The SSRF guard against hostile URLs. A canary listens on loopback (IPv4 and IPv6) and counts connections: every
 * refusal must happen before a connection is opened.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FetchError } from '../../src/net/fetch-error.ts'
import { parseSafeUrl } from '../../src/net/safe-fetch.ts'
import { checkUrl, isPublicAddress, type Lookup, parseAllowlist } from '../../src/net/ssrf-guard.ts'
import { canary, openCanary, refused } from '../support/fetch-canary.ts'

openCanary()

const refusedAddresses = {
  'unspecified and this network': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  'link-local, cloud metadata': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::a9fe:a9fe'],
  'cloud services': ['168.63.129.16', 'fd00:ec2::254', '192.0.0.192'],
  'protocol assignments': ['192.0.0.1', '192.0.0.170', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.254', '255.255.255.255'],
  'unique local and site-local': ['fc00::1', 'fdff:ffff::1', 'fec0::1', 'feff::1'],
  'IPv4 in IPv6: mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  'IPv4 in IPv6: compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4 in IPv6: NAT64': ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
  'IPv4 in IPv6: 6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  'IPv4 in IPv6: Teredo, 2001::/23': ['2001::1', '2001:0:7f00:1::', '2001:10::1', '2001:20::1', '2001:1ff::1'],
  unallocated: ['100::1', '1::1', '4000::1', '5f00::1', '8000::1', 'e000::1'],
}
const publicAddresses = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.215.14',
  '172.32.0.1',
  '172.15.255.255',
  '100.63.255.255',
  '100.128.0.1',
]
publicAddresses.push('11.0.0.0', '9.255.255.255', '126.255.255.255', '128.0.0.1', '223.255.255.255', '169.253.0.1')
publicAddresses.push(
  '2606:4700::6810:84e5',
  '2a00:1450:4001:82a::200e',
  '2400:cb00::1',
  '2001:4860:4860::8888',
  '2003::1',
)

for (const [kind, addresses] of Object.entries(refusedAddresses)) {
  test(`ADDRESS_REFUSED: ${kind} address, literal or resolved from a name → no connection`, async () => {
    for (const address of addresses) {
      assert.equal(isPublicAddress(address), false, address)
      await refused(`https://${address.includes(':') ? `[${address}]` : address}/film.mp4`, 'ADDRESS_REFUSED')
      await refused('https://films.example.com/film.mp4', 'ADDRESS_REFUSED', async () => [address])
      // A private address among public ones, in either order.
      await refused('https://films.example.com/film.mp4', 'ADDRESS_REFUSED', async () => ['1.1.1.1', address])
      await refused('https://films.example.com/film.mp4', 'ADDRESS_REFUSED', async () => [address, '1.1.1.1'])
    }
    assert.deepEqual(canary.from, [])
  })
}

test('isPublicAddress: public addresses → true; text that is not an address → false', () => {
  for (const address of publicAddresses) assert.equal(isPublicAddress(address), true, address)
  for (const text of ['', 'localhost', '127.1', '2130706433', '1.1.1.1:80', '[::1]', '1.1.1.1/8', 'fe80::1%lo']) {
    assert.equal(isPublicAddress(text), false, text)
  }
})

test('ADDRESS_REFUSED: decimal, hex, octal, short and Unicode spellings of a private address → no connection', async () => {
  const spellings = [
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
  ]
  spellings.push(
    '0',
    '0x0',
    '3232235521',
    '0xa9fea9fe',
    '169.16689662',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    '１２７.０.０.１',
    '①②⑦.0.0.1',
  )
  spellings.push('[0:0:0:0:0:0:0:1]', '[::0001]', '[0:0:0:0:0:ffff:7f00:1]', '[::FFFF:127.0.0.1]', '[64:FF9B::7F00:1]')
  for (const spelling of spellings) await refused(`https://${spelling}/`, 'ADDRESS_REFUSED')
  assert.deepEqual(canary.from, [])
})

test('ADDRESS_REFUSED: localhost and its subdomains → no DNS lookup, no connection', async () => {
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'a.localhost',
    'a.b.LocalHost.',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'local%68ost',
  ]
  for (const name of names) {
    await refused(`https://${name}/`, 'ADDRESS_REFUSED', () => assert.fail(`looked up ${name}`))
  }
  assert.deepEqual(canary.from, [])
})

test('ADDRESS_REFUSED: name of one label, of an internal network or of a metadata service → no DNS lookup, no connection', async () => {
  const names = [
    'metadata',
    'kubernetes',
    'db.',
    'metadata.google.internal',
    'Metadata.Google.Internal.',
    'metadata.goog',
  ]
  names.push(
    'a.internal',
    'printer.local',
    'router.lan',
    'nas.home.arpa',
    'x.home',
    'x.corp',
    'x.intranet',
    'x.private',
  )
  names.push(
    'host.localdomain',
    'api.default.svc',
    'api.default.svc.cluster.local',
    'example.onion',
    'a.ｉｎｔｅｒｎａｌ',
    '%6cocal%2e',
  )
  for (const name of names) {
    await refused(`https://${name}/`, 'ADDRESS_REFUSED', () => assert.fail(`looked up ${name}`))
  }
  for (const name of ['internal.example.com', 'local.example.com', 'mylocal.com', 'notinternal.net'])
    checkUrl(new URL(`https://${name}/`), new Set())
  assert.deepEqual(canary.from, [])
})

test('SCHEME_REFUSED, PORT_REFUSED, URL_REFUSED: other schemes, other ports, credentials, invalid URLs → no connection', async () => {
  const host = '93.184.215.14'
  for (const url of [
    `http://${host}/`,
    `ftp://${host}/`,
    'file:///etc/passwd',
    'data:video/mp4,x',
    'javascript:1',
    'unix:/run/x',
    'gopher://x',
  ]) {
    await refused(url, 'SCHEME_REFUSED')
  }
  for (const port of [1, 22, 80, 444, 6379, 8080, 65535]) await refused(`https://${host}:${port}/`, 'PORT_REFUSED')
  for (const url of [
    `https://user@${host}/`,
    `https://user:word@${host}/`,
    `https://:word@${host}/`,
    `https://${host}@127.0.0.1/`,
  ]) {
    await refused(url, 'URL_REFUSED')
  }
  for (const url of [
    '',
    '/film.mp4',
    '//host/film.mp4',
    'https://',
    'https://[::1',
    'https://a b/',
    'https://1.2.3.256/',
    'https://[fe80::1%25lo]/',
    `https://${host}/${'a'.repeat(9000)}`,
  ]) {
    await refused(url, 'URL_REFUSED')
  }
  assert.deepEqual(canary.from, [])
})

test('DNS rebinding: the DNS answer changes between lookups → one lookup a connection, no private address reached', async () => {
  let lookups = 0
  const rebinding: Lookup = async () => {
    lookups += 1
    return lookups % 2 ? ['192.0.2.1'] : ['127.0.0.1']
  }
  await refused('https://films.example.com/', 'ADDRESS_REFUSED', rebinding)
  await refused('https://films.example.com/', 'ADDRESS_REFUSED', rebinding)
  assert.equal(lookups, 2, 'one lookup a connection: the checked address is the connected address')
  assert.deepEqual(canary.from, [])
})

test('connector: allowlisted name → one lookup, and the socket connects to its answer', async () => {
  let lookups = 0
  const port = canary.port
  const lookup: Lookup = async (name) => {
    assert.equal(name, 'films.example.com')
    lookups += 1
    return ['127.0.0.1']
  }
  // Allowlisted by name, so that the connection reaches the canary.
  await refused(`https://films.example.com:${port}/`, 'UNREACHABLE', lookup, [`films.example.com:${port}`])
  assert.equal(lookups, 1)
  assert.equal(canary.toPort.length, 1)
})

test('checkUrl: literal addresses, names and allowlisted entries → checked without a DNS lookup', () => {
  const allowlist = parseAllowlist(['127.0.0.1:9000'])
  for (const url of ['https://films.example.com/a', 'https://1.1.1.1:8443/a', 'http://127.0.0.1:9000/a'])
    checkUrl(new URL(url), allowlist)
  for (const url of [
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://0x7f.1/',
    'http://films.example.com/',
  ]) {
    assert.throws(() => checkUrl(new URL(url), allowlist), FetchError, url)
  }
})

test('URL_REFUSED: address of 8193 characters → no address; of 8192 → read', () => {
  const longest = 'https://films.example.com/'.padEnd(8192, 'a')
  assert.equal(parseSafeUrl(longest, new Set()).href, longest)
  assert.throws(() => parseSafeUrl(`${longest}a`, new Set()), { code: 'URL_REFUSED' })
})
