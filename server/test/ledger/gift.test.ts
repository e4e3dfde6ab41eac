/** The new-user gift: limits by mailbox, domain and network, concurrently, over HTTP; what is stored of addresses. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { giftLimits, normaliseEmail, whenGift } from '../../src/account/gift-address.ts'
import { readConfig, readGiftSettings } from '../../src/config/config.ts'
import { settingReader } from '../../src/config/setting-reader.ts'
import { creditGrantGift, grantGift } from '../../src/credit/gift.ts'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ env: { TRUST_PROXY: 'on' } })
const { app } = kinora
const { sql, config } = app
const DAY_MS = 86_400_000
const unlimited = config.gift
const withoutProviders = config.signIn
afterEach(() => {
  config.gift = unlimited
  config.signIn = withoutProviders
})
const capAt = (perNetwork: number, ...denied: string[]) => {
  config.gift = { after: null, perNetwork, countsLoopback: false, deniedDomains: new Set(denied) }
}

const gifts = async () =>
  (
    await sql<[{ count: number }]>`
  select count(*) from kinora.credit_transaction where trans_type = 'NEW_USER'
`
  )[0].count
const giftState = async (as: Person) =>
  (await kinora.call<{ state: string; message: string | null; isSeen: boolean }>('GET', '/api/v1/credit/gift', { as }))
    .data
let people = 0
/** Registers over HTTP from an address. */
async function signUp(ip: string, email = `gift-${++people}@example.com`): Promise<Person> {
  const response = await kinora.call('POST', '/api/auth/sign-up/email', {
    body: { name: 'Ann', email, password: 'correct horse battery' },
    headers: { 'x-forwarded-for': ip },
  })
  assert.equal(response.status, 200, response.text)
  const { token, user } = JSON.parse(response.text)
  return { userId: user.id, token, email }
}
const availableOf = async (as: Person) => (await kinora.balance(as)).available

test('gift: 1,000 scripted sign-ups from one network, 50 at a time → the cap of 5 is granted, and no more', async () => {
  capAt(5)
  const before = await gifts()
  const now = app.now()
  const expiresAt = new Date(now.getTime() + 30 * DAY_MS)
  let next = 0
  const outcomes: string[] = []
  const register = async () => {
    while (next < 1000) {
      const n = next++
      const limits = giftLimits(app, `script-${n}@example.com`, `198.51.100.${n % 250}`)
      const gift = { userId: randomUUID(), packageId: randomUUID(), credits: 60, expiresAt, limits, now }
      outcomes.push(await creditGrantGift(sql, gift))
    }
  }
  await Promise.all(Array.from({ length: 50 }, register))
  assert.equal(outcomes.filter((outcome) => outcome === 'granted').length, 5)
  assert.equal(outcomes.filter((outcome) => outcome === 'network_limit').length, 995)
  assert.equal(await gifts(), before + 5)
})

test('gift: sign-ups from a loopback address → no cap; in production, where it may be a proxy without TRUST_PROXY → cap', () => {
  capAt(1)
  for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    assert.equal(giftLimits(app, 'ann@example.com', ip).network_hash, null)
  }
  assert.notEqual(giftLimits(app, 'ann@example.com', '128.0.0.1').network_hash, null)
  config.gift.countsLoopback = true
  assert.notEqual(giftLimits(app, 'ann@example.com', '127.0.0.1').network_hash, null)
  const settings = (env: Record<string, string>) => readGiftSettings(settingReader(env, []))
  assert.deepEqual([settings({}).perNetwork, settings({ RATE_LIMITS: 'off' }).perNetwork], [5, null])
  assert.deepEqual([settings({}).countsLoopback, settings({ NODE_ENV: 'production' }).countsLoopback], [false, true])
})

test('gift: 40 sign-ups at once with one mailbox in 40 spellings, from 40 networks → one gift', async () => {
  const now = app.now()
  const grant = (n: number) =>
    creditGrantGift(sql, {
      userId: randomUUID(),
      packageId: randomUUID(),
      credits: 60,
      expiresAt: new Date(now.getTime() + DAY_MS),
      limits: giftLimits(app, `A${n % 2 ? '.' : ''}nn+${n}@g${n % 3 ? '' : 'oogle'}mail.com`, `192.0.${n}.1`),
      now,
    })
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => grant(n)))
  assert.deepEqual(
    outcomes.sort(),
    ['address_used', 'granted'].flatMap((outcome) => Array(outcome === 'granted' ? 1 : 39).fill(outcome)),
  )
})

test('200: three sign-ups from one IPv6 /64 with a cap of 2 → the third has no gift, and learns why once', async () => {
  capAt(2)
  const people = [
    await signUp('2001:db8:1:2::1'),
    await signUp('2001:db8:1:2:ffff::2'),
    await signUp('2001:db8:1:2::3'),
  ]
  assert.deepEqual(await Promise.all(people.map(availableOf)), [60, 60, 0])
  const [first, , third] = people as [Person, Person, Person]
  assert.deepEqual(await giftState(first), { state: 'decided', credits: 60, message: null, isSeen: true })
  const refused = await giftState(third)
  assert.equal(refused.state, 'network_limit')
  assert.match(`${refused.message}`, /network today/)
  assert.equal(refused.isSeen, false)
  await kinora.call('POST', '/api/v1/credit/gift/seen', { as: third })
  assert.equal((await giftState(third)).isSeen, true)
  assert.equal(await availableOf(await signUp('2001:db8:1:3::1')), 60, 'another network has its own cap')
  kinora.turnClock(DAY_MS)
  assert.equal(await availableOf(await signUp('2001:db8:1:2::4')), 60, 'the next day has its own cap')
  kinora.turnClock(-DAY_MS)
})

test('200: the mailbox of another account, also in other spellings and after its deletion → no gift', async () => {
  assert.equal(await availableOf(await signUp('203.0.113.1', 'o.tto@gmail.com')), 60)
  const variant = await signUp('203.0.113.1', 'Otto+films@googlemail.com')
  assert.equal(await availableOf(variant), 0)
  assert.equal((await giftState(variant)).state, 'address_used')
  const first = await signUp('203.0.113.1', 'bea@example.com')
  const body = { password: 'correct horse battery' }
  assert.equal((await kinora.call('DELETE', '/api/v1/account', { as: first, body })).status, 200)
  assert.equal(await availableOf(await signUp('203.0.113.1', 'bea@example.com')), 0)
})

test('200: address of a denied domain or of its subdomain → no gift, but an account', async () => {
  capAt(100, 'throwaway.example')
  for (const domain of ['throwaway.example', 'mx.Throwaway.example']) {
    const ann = await signUp('203.0.113.2', `ann@${domain}`)
    assert.equal((await giftState(ann)).state, 'domain_denied')
    assert.equal(await availableOf(ann), 0)
  }
  assert.equal(await availableOf(await signUp('203.0.113.2', 'ann@notthrowaway.example')), 60)
})

test('200: sign-in by an OpenID provider is set up → the gift waits for a verified address, and is granted once', async () => {
  config.signIn = {
    ...withoutProviders,
    providers: [{ id: 'x', name: 'X', issuer: '', clientId: '', clientSecret: '' }],
  }
  const ann = await signUp('203.0.113.3')
  assert.equal(await availableOf(ann), 0)
  assert.equal((await giftState(ann)).state, 'waiting')
  await sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  await Promise.all(Array.from({ length: 10 }, () => grantGift(app, ann.userId, '203.0.113.3')))
  assert.equal(await availableOf(ann), 60)
  assert.equal((await giftState(ann)).state, 'decided')
})

test('GIFT_AFTER: verification, sign-up, neither → when the gift comes, and what the operator reads of it', async () => {
  config.signIn = {
    ...withoutProviders,
    providers: [{ id: 'x', name: 'X', issuer: '', clientId: '', clientSecret: '' }],
  }
  config.gift = { ...unlimited, after: 'sign-up' }
  assert.equal(await availableOf(await signUp('203.0.113.4')), 60)
  const of = (env: Record<string, string>) =>
    whenGift(readConfig({ DATABASE_URL: 'postgres://a@b/c', AUTH_SECRET: 'a', ...env }, []))
  const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'films@example.com' }
  const remedy = 'until then a generate of a new user is 402; GIFT_AFTER=sign-up gives it at once'
  const unread = 'also for an address that no one reads'
  const expected: [Record<string, string>, ReturnType<typeof whenGift>][] = [
    [{}, { state: '60 credits at sign-up', remedy: '' }],
    [mail, { state: '60 credits once the address is verified, because SMTP_URL is set', remedy }],
    [
      { ...mail, GIFT_AFTER: 'verification' },
      { state: '60 credits once the address is verified, by GIFT_AFTER', remedy: '' },
    ],
    [
      { ...mail, GIFT_AFTER: 'sign-up' },
      { state: `60 credits at sign-up by GIFT_AFTER, ${unread}`, remedy: '' },
    ],
    [{ ...mail, NEW_USER_CREDITS: '0' }, null],
  ]
  for (const [env, when] of expected) assert.deepEqual(of(env), when)
  assert.throws(() => of({ GIFT_AFTER: 'verification' }), /GIFT_AFTER=verification needs SMTP_URL or a provider/)
})

test('200: an administrator grants by hand to a user without a gift → credits arrive', async () => {
  capAt(1)
  const [, refused] = [await signUp('203.0.114.1'), await signUp('203.0.114.1')]
  const admin = await kinora.person({ role: 'admin', credits: 0 })
  const body = { userId: refused.userId, credits: 60, remark: 'Welcome' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', { as: admin, body })).status, 200)
  assert.equal(await availableOf(refused), 60)
})

test('KEEP_GIFT_ADDRESSES: hashes older than 400 days → deleted, counters of networks after two days', async () => {
  await signUp('203.0.115.1')
  kinora.turnClock(-401 * DAY_MS)
  await grantGift(app, (await kinora.person({ credits: 0 })).userId, '203.0.115.2')
  kinora.turnClock(401 * DAY_MS)
  capAt(5)
  await sql`update kinora.gift_network set day = day - 3 where ctid = (select min(ctid) from kinora.gift_network)`
  const removed = await sweepOldRows(app)
  assert.equal(removed.get('giftAddresses'), 1)
  assert.equal(removed.get('giftNetworks'), 1)
  const rows = await sql`select a::text as row from kinora.gift_address a`
  assert.ok(rows.length > 0 && rows.every(({ row }) => /^\("\\\\x[0-9a-f]{64}",/.test(row)), 'a hash and a time')
})

test('address: case, dots and plus of the big hosts → one mailbox; of other hosts only the case', () => {
  const same = {
    'A.n.n+x@GMail.com': 'ann@gmail.com',
    'a.nn+x@outlook.com': 'a.nn@outlook.com',
    'Ann@me.com': 'ann@icloud.com',
  }
  for (const [given, mailbox] of Object.entries(same)) assert.equal(normaliseEmail(given), mailbox)
  assert.equal(normaliseEmail('A.n+n@Example.com'), 'a.n+n@example.com')
})
