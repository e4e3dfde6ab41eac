/**
 * Hostile addresses for the guarded fetcher. A canary listens on loopback, IPv4 and IPv6, and counts connections:
 * whatever is refused must be refused without one.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FetchRefused, openFetch } from '../src/safe-fetch.ts'
import { isPublicAddress, type Lookup } from '../src/ssrf-guard.ts'
import { canary, openCanary, refused } from './fetch-canary.ts'

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
  'never handed out': ['100::1', '1::1', '4000::1', '5f00::1', '8000::1', 'e000::1'],
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
  test(`refused, as a literal and as what a name resolves to: ${kind}`, async () => {
    for (const address of addresses) {
      assert.equal(isPublicAddress(address), false, address)
      await refused(`https://${address.includes(':') ? `[${address}]` : address}/film.mp4`, 'ADDRESS_REFUSED')
      await refused('https://films.example.com/film.mp4', 'ADDRESS_REFUSED', async () => [address])
      // A private address hides behind a public one, on either side.
      await refused('https://films.example.com/film.mp4', 'ADDRESS_REFUSED', async () => ['1.1.1.1', address])
      await refused('https://films.example.com/film.mp4', 'ADDRESS_REFUSED', async () => [address, '1.1.1.1'])
    }
    assert.equal(canary.connections, 0)
  })
}

test('public addresses are public, and text that is no address is not', () => {
  for (const address of publicAddresses) assert.equal(isPublicAddress(address), true, address)
  for (const text of ['', 'localhost', '127.1', '2130706433', '1.1.1.1:80', '[::1]', '1.1.1.1/8', 'fe80::1%lo']) {
    assert.equal(isPublicAddress(text), false, text)
  }
})

test('refused: other spellings of a private address', async () => {
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
  assert.equal(canary.connections, 0)
})

test('refused: names of the machine itself, without asking a resolver', async () => {
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
    await refused(`https://${name}/`, 'ADDRESS_REFUSED', () => assert.fail(`asked for ${name}`))
  }
  assert.equal(canary.connections, 0)
})

test('refused: schemes, ports, credentials and what is no URL', async () => {
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
    await refused(url, 'ADDRESS_REFUSED')
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
    await refused(url, 'ADDRESS_REFUSED')
  }
  assert.equal(canary.connections, 0)
})

test('refused: a name whose answer changes between two look-ups never reaches the second answer', async () => {
  let asked = 0
  const rebinding: Lookup = async () => {
    asked += 1
    return asked % 2 ? ['192.0.2.1'] : ['127.0.0.1']
  }
  await refused('https://films.example.com/', 'ADDRESS_REFUSED', rebinding)
  await refused('https://films.example.com/', 'ADDRESS_REFUSED', rebinding)
  assert.equal(asked, 2, 'one look-up for each connection: what was judged is what is connected to')
  assert.equal(canary.connections, 0)
})

test('the address that was judged is the one connected to: one look-up, whose answer the socket uses', async () => {
  let asked = 0
  const port = canary.port
  const lookup: Lookup = async (name) => {
    assert.equal(name, 'films.example.com')
    asked += 1
    return ['127.0.0.1']
  }
  // Allowed by name, so that a socket may be seen to arrive at all.
  await refused(`https://films.example.com:${port}/`, 'UNREACHABLE', lookup, [`films.example.com:${port}`])
  assert.equal(asked, 1)
  assert.equal(canary.connections, 1)
})

test('an address can be judged without the network', () => {
  const fetcher = openFetch({ allow: ['127.0.0.1:9000'], lookup: () => assert.fail('asked for a name') })
  for (const url of ['https://films.example.com/a', 'https://1.1.1.1:8443/a', 'http://127.0.0.1:9000/a'])
    fetcher.check(url)
  for (const url of [
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://0x7f.1/',
    'http://films.example.com/',
    '',
  ]) {
    assert.throws(() => fetcher.check(url), FetchRefused, url)
  }
})
