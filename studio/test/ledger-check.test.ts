/** The arithmetic of "Verify the balance" on a history that contains every type of transaction. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LedgerSnapshot } from '../src/credits/ledger-check.ts'
import './macros.ts'
import type { CreditTransaction } from '../src/credits/transaction-types.ts'
import { history, ofFilm, seal, transaction } from './transactions.ts'

const { checkLedger } = await import('../src/credits/ledger-check.ts')

function snapshot(overrides: Partial<LedgerSnapshot> = {}): LedgerSnapshot {
  const plan = {
    id: 'p',
    transType: 'SUBSCRIPTION',
    initial: 960,
    frozen: 30,
    orderNo: null,
    source: 'order:1',
    expiresAt: '',
    createdAt: '',
  }
  const { transactions = history() } = overrides
  return {
    total: 10,
    balance: {
      available: 1105,
      frozen: 30,
      used: 16,
      total: 1305,
      expiringSoon: 0,
      expired: 0,
      clawedBack: 0,
      owed: 0,
    },
    packages: [{ ...plan, remaining: 1105 }],
    ...overrides,
    transactions: seal(transactions),
  }
}

/** The failed checks, each with the transactions that it names. */
const failures = (damaged: LedgerSnapshot) =>
  checkLedger(damaged)
    .filter(({ differences }) => differences.length > 0)
    .map(({ rule, differences }) => [
      rule,
      ...differences.flatMap((difference) => (difference.transaction ? [difference.transaction.transNo] : [])),
    ])

const withChange = (transNo: string, change: Partial<CreditTransaction>): LedgerSnapshot =>
  snapshot({ transactions: history().map((t) => (t.transNo === transNo ? { ...t, ...change } : t)) })

const COUNT = 'Every row has been read once'
const RUNNING_BALANCE = 'Each row leaves what the row before it left, plus its own credits'
const SIGN = 'Each row adds or takes as its type does'
const CHAIN = 'Each row is sealed by its hash and the hash of the row before it'
const FILM = 'Each film is charged once; what was released came back once, in full'
const AVAILABLE = 'All rows add up to Available'
const PACKAGES = 'What your packages have left is Available'
const FROZEN = 'The rows of films in progress add up to Frozen'
const USED = 'The rows of finished films add up to Used'
const TOTAL = 'The rows of additions add up to Total'
const PARTS = 'Total is Available + Frozen + Used + expired + taken back'

test('checkLedger: consistent ledger → no difference, and each check reports the amounts it compared', () => {
  assert.deepEqual(failures(snapshot()), [])
  assert.deepEqual(
    checkLedger(snapshot()).map(({ rule, compared }) => [rule, compared]),
    [
      [COUNT, '10 rows'],
      [RUNNING_BALANCE, '10 rows'],
      [SIGN, '10 rows'],
      [CHAIN, '10 rows'],
      [FILM, '10 rows'],
      [AVAILABLE, '1,105 credits'],
      [PACKAGES, '1,105 credits'],
      [FROZEN, '30 credits'],
      [USED, '16 credits'],
      [TOTAL, '1,305 credits'],
      [PARTS, '1,305 = 1,105 + 30 + 16 + 14 + 140'],
    ],
  )
})

test('checkLedger: no transactions and a zero balance → no difference', () => {
  const balance = { available: 0, frozen: 0, used: 0, total: 0, expiringSoon: 0, expired: 0, clawedBack: 0, owed: 0 }
  assert.deepEqual(failures({ transactions: [], total: 0, balance, packages: [] }), [])
})

test('checkLedger: wrong balanceAfter → named in its transaction and in the next one', () => {
  assert.deepEqual(failures(withChange('T-5', { balanceAfter: 1324 })), [[RUNNING_BALANCE, 'T-5', 'T-6']])
  const [difference] = checkLedger(withChange('T-5', { balanceAfter: 1324 }))[1]?.differences ?? []
  assert.deepEqual([difference?.expected, difference?.found], ['324 after it', '1,324 after it'])
})

test('checkLedger: wrong credits → named in the transaction and in every sum that contains it', () => {
  assert.deepEqual(failures(withChange('T-2', { credits: -6 })), [[RUNNING_BALANCE, 'T-2'], [AVAILABLE], [USED]])
  assert.deepEqual(failures(withChange('T-8', { credits: 961 })), [[RUNNING_BALANCE, 'T-8'], [AVAILABLE], [TOTAL]])
  assert.deepEqual(failures(withChange('T-9', { credits: -15 })), [[RUNNING_BALANCE, 'T-9'], [AVAILABLE], [PARTS]])
  assert.deepEqual(failures(withChange('T-7', { credits: -139 })), [[RUNNING_BALANCE, 'T-7'], [AVAILABLE], [PARTS]])
})

test('checkLedger: missing transaction (middle, newest, oldest) → wrong count and wrong sums', () => {
  const without = (transNo: string) => snapshot({ transactions: history().filter((t) => t.transNo !== transNo) })
  assert.deepEqual(failures(without('T-5')), [[COUNT], [RUNNING_BALANCE, 'T-6'], [AVAILABLE], [TOTAL]])
  assert.deepEqual(failures(without('T-10')), [[COUNT], [AVAILABLE], [TOTAL]])
  assert.deepEqual(failures(without('T-1')), [[COUNT], [RUNNING_BALANCE, 'T-2'], [AVAILABLE], [TOTAL]])
})

test('checkLedger: one transaction twice and one missing → wrong count, although the number of rows fits', () => {
  const transactions = [...history().slice(0, -1), ...history().slice(-2, -1)]
  assert.ok(failures(snapshot({ transactions })).some(([rule]) => rule === COUNT))
})

test('checkLedger: refund of a released hold that is partial, missing or repeated → the film check fails', () => {
  assert.deepEqual(failures(withChange('T-4', { credits: 23 })), [
    [RUNNING_BALANCE, 'T-4'],
    [FILM, 'T-3', 'T-4'],
    [AVAILABLE],
  ])
  assert.deepEqual(failures(withChange('T-3', { state: 'settled' })), [[FILM, 'T-3'], [USED]])
  assert.deepEqual(failures(withChange('T-2', { state: 'released' })), [[FILM, 'T-2'], [USED]])
  const transactions = [transaction(11, 'REFUND', 24, 1129, ofFilm('b', 'released')), ...history()]
  const balance = { ...snapshot().balance, available: 1129 }
  const repeated = failures(snapshot({ transactions, total: 11, balance, packages: [] }))
  assert.deepEqual(repeated[0], [FILM, 'T-3', 'T-4', 'T-11'])
  assert.ok(
    repeated.some(([rule]) => rule === PARTS),
    'credits that no addition explains',
  )
})

test('checkLedger: the rest of a film that cost less than was frozen came back → right, and Used is what it cost', () => {
  const rest = transaction(11, 'REFUND', 6, 1111, ofFilm('a', 'settled'))
  const balance = { ...snapshot().balance, available: 1111, used: 10 }
  const packages = snapshot().packages.map((each) => ({ ...each, remaining: 1111 }))
  assert.deepEqual(failures(snapshot({ transactions: [rest, ...history()], total: 11, balance, packages })), [])
})

test('checkLedger: film charged twice or refund without a film → the film check fails', () => {
  assert.deepEqual(failures(withChange('T-6', ofFilm('a', 'frozen'))), [[FILM, 'T-2', 'T-6']])
  assert.deepEqual(failures(withChange('T-4', { videoUuid: null })).at(0), [FILM, 'T-3', 'T-4'])
})

test('checkLedger: sign that contradicts the type → the sign check fails', () => {
  assert.deepEqual(failures(withChange('T-9', { transType: 'NEW_USER' })), [[SIGN, 'T-9'], [PARTS]])
  assert.deepEqual(failures(withChange('T-5', { transType: 'EXPIRED' })), [[SIGN, 'T-5'], [TOTAL], [PARTS]])
})

test('checkLedger: quantity of the balance that differs from the transactions → its check fails', () => {
  const { balance } = snapshot()
  const withBalance = (change: object) => failures(snapshot({ balance: { ...balance, ...change } }))
  assert.deepEqual(withBalance({ available: 1106 }), [[AVAILABLE], [PACKAGES], [PARTS]])
  assert.deepEqual(withBalance({ frozen: 31 }), [[FROZEN], [PARTS]])
  assert.deepEqual(withBalance({ used: 15 }), [[USED], [PARTS]])
  assert.deepEqual(withBalance({ total: 1304 }), [[TOTAL], [PARTS]])
})

test('checkLedger: row changed, or newest row rewritten → named by the chain check, even when the sums are right', () => {
  const changed = (transNo: string, change: Partial<CreditTransaction>) => ({
    ...snapshot(),
    transactions: snapshot().transactions.map((t) => (t.transNo === transNo ? { ...t, ...change } : t)),
  })
  assert.deepEqual(failures(changed('T-5', { remark: 'another' })), [[CHAIN, 'T-5']])
  assert.deepEqual(failures(changed('T-8', { expiresAt: new Date(0).toISOString() })), [[CHAIN, 'T-8']])
  assert.deepEqual(failures(changed('T-10', { source: 'another' })), [[CHAIN, 'T-10']])
  assert.deepEqual(failures(changed('T-3', { hash: '00'.repeat(32) })), [[CHAIN, 'T-3', 'T-4']])
})

test('checkLedger: takings, reversed expiries and reversed refunds → no difference', () => {
  const corrections = [
    transaction(11, 'SYSTEM_ADJUST', -5, 1100, { actorId: 'admin' }),
    transaction(12, 'EXPIRED', 14, 1114, { actorId: 'admin' }),
    transaction(13, 'ORDER_PAY', 140, 1254, { orderNo: 'order-1', source: null }),
  ]
  const transactions = [...corrections.reverse(), ...history()]
  const balance = { ...snapshot().balance, available: 1254 }
  const packages = snapshot().packages.map((each) => ({ ...each, remaining: 1254 }))
  assert.deepEqual(failures(snapshot({ transactions, total: 13, balance, packages })), [])
})
