/** The arithmetic behind "Check my books", the file for spreadsheets, and the steps of the chart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepAt, stepsOf } from '../src/credits/balance-series.ts'
import { csvHead, csvLine } from '../src/credits/csv.ts'
import { type Books, checkBooks, type Row, sumsOf } from '../src/credits/ledger-check.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z')
const DAY_MS = 86_400_000

/** A row of a history; `daysAgo` may have a fraction. */
function row(
  n: number,
  transType: Row['transType'],
  credits: number,
  balanceAfter: number,
  more: Partial<Row> = {},
): Row {
  const createdAt = new Date(NOW_MS - (10 - n) * DAY_MS).toISOString()
  const own = { videoUuid: null, orderNo: null, remark: null, state: null }
  return { id: `row-${n}`, transNo: `T-${n}`, transType, credits, balanceAfter, createdAt, ...own, ...more }
}
const film = (videoUuid: string, state: string) => ({ videoUuid, state })

/** Everything that can happen to credits, in ten rows: newest first, as the service answers. */
function history(): Row[] {
  return [
    row(1, 'NEW_USER', 60, 60),
    row(2, 'VIDEO_CONSUME', -16, 44, film('a', 'settled')),
    row(3, 'VIDEO_CONSUME', -24, 20, film('b', 'released')),
    row(4, 'REFUND', 24, 44, film('b', 'released')),
    row(5, 'ORDER_PAY', 280, 324, { orderNo: 'order-1' }),
    row(6, 'VIDEO_CONSUME', -30, 294, film('c', 'frozen')),
    row(7, 'ORDER_PAY', -140, 154, { orderNo: 'order-1' }),
    row(8, 'SUBSCRIPTION', 960, 1114),
    row(9, 'EXPIRED', -14, 1100),
    row(10, 'SYSTEM_ADJUST', 5, 1105),
  ].reverse()
}

function books(change: Partial<Books> = {}): Books {
  const rows = change.rows ?? history()
  const pack = {
    id: 'p',
    transType: 'SUBSCRIPTION',
    initial: 960,
    frozen: 30,
    orderNo: null,
    expiresAt: '',
    createdAt: '',
  }
  return {
    rows,
    counted: 10,
    balance: { available: 1105, frozen: 30, used: 16, total: 1305, expiringSoon: 0 },
    packages: [{ ...pack, remaining: 1105 }],
    ...change,
  }
}

/** The rules that differ, each with the rows it names. */
const found = (wrong: Books) =>
  checkBooks(wrong)
    .filter(({ differences }) => differences.length > 0)
    .map(({ rule, differences }) => [rule, ...differences.flatMap((each) => (each.row ? [each.row.transNo] : []))])

const doctored = (transNo: string, change: Partial<Row>): Books =>
  books({ rows: history().map((each) => (each.transNo === transNo ? { ...each, ...change } : each)) })

const FOLLOWS = 'Each row leaves what the row before it left, plus its own credits'
const SIGN = 'Each row adds or takes as its type does'
const FILM = 'Each film is charged once; what was released came back once, in full'
const AVAILABLE = 'All rows add up to Available'
const FROZEN = 'The rows of films in progress add up to Frozen'
const USED = 'The rows of finished films add up to Used'
const TOTAL = 'The rows of additions add up to Total'
const PARTS = 'Total is Available + Frozen + Used + expired + taken back'

test('books that are right have no difference, and say what was compared', () => {
  assert.deepEqual(found(books()), [])
  assert.deepEqual(sumsOf(history()), { received: 1305, clawedBack: 140, expired: 14, frozen: 30, used: 16 })
  assert.equal(checkBooks(books()).at(-1)?.seen, '1,305 = 1,105 + 30 + 16 + 14 + 140')
})

test('books of somebody who never had a credit are right', () => {
  const nothing = { available: 0, frozen: 0, used: 0, total: 0, expiringSoon: 0 }
  assert.deepEqual(found({ rows: [], counted: 0, balance: nothing, packages: [] }), [])
})

test('a doctored balance after is found in its row, and in the next one that no longer follows', () => {
  assert.deepEqual(found(doctored('T-5', { balanceAfter: 1324 })), [[FOLLOWS, 'T-5', 'T-6']])
  const [difference] = checkBooks(doctored('T-5', { balanceAfter: 1324 }))[1]?.differences ?? []
  assert.deepEqual([difference?.expected, difference?.found], ['324 after it', '1,324 after it'])
})

test('doctored credits are found in their row and in every sum they are part of', () => {
  assert.deepEqual(found(doctored('T-2', { credits: -6 })), [[FOLLOWS, 'T-2'], [AVAILABLE], [USED]])
  assert.deepEqual(found(doctored('T-8', { credits: 961 })), [[FOLLOWS, 'T-8'], [AVAILABLE], [TOTAL]])
  assert.deepEqual(found(doctored('T-9', { credits: -15 })), [[FOLLOWS, 'T-9'], [AVAILABLE], [PARTS]])
  assert.deepEqual(found(doctored('T-7', { credits: -139 })), [[FOLLOWS, 'T-7'], [AVAILABLE], [PARTS]])
})

test('a row that is missing is found, in the middle, at the end and at the beginning', () => {
  const without = (transNo: string) => books({ rows: history().filter((each) => each.transNo !== transNo) })
  const read = 'Every row has been read once'
  assert.deepEqual(found(without('T-5')), [[read], [FOLLOWS, 'T-6'], [AVAILABLE], [TOTAL]])
  assert.deepEqual(found(without('T-10')), [[read], [AVAILABLE], [TOTAL]])
  assert.deepEqual(found(without('T-1')), [[read], [FOLLOWS, 'T-2'], [AVAILABLE], [TOTAL]])
})

test('a row that came twice is found even where the number of rows fits', () => {
  const rows = [...history().slice(0, -1), ...history().slice(-2, -1)]
  assert.ok(found(books({ rows })).some(([rule]) => rule === 'Every row has been read once'))
})

test('a release that gave back too little, twice, or not at all is found', () => {
  assert.deepEqual(found(doctored('T-4', { credits: 23 })), [[FOLLOWS, 'T-4'], [FILM, 'T-3', 'T-4'], [AVAILABLE]])
  assert.deepEqual(found(doctored('T-3', { state: 'settled' })), [[FILM, 'T-3'], [USED]])
  assert.deepEqual(found(doctored('T-2', { state: 'released' })), [[FILM, 'T-2'], [USED]])
  const twice = [row(11, 'REFUND', 24, 1129, film('b', 'released')), ...history()]
  const balance = { ...books().balance, available: 1129 }
  const differing = found(books({ rows: twice, counted: 11, balance, packages: [] }))
  assert.deepEqual(differing[0], [FILM, 'T-3', 'T-4', 'T-11'])
  assert.ok(
    differing.some(([rule]) => rule === PARTS),
    'credits out of nothing',
  )
})

test('a film charged twice, a refund of nothing, and a type that cannot have this sign are found', () => {
  assert.deepEqual(found(doctored('T-6', film('a', 'frozen'))), [[FILM, 'T-2', 'T-6']])
  assert.deepEqual(found(doctored('T-4', { videoUuid: null })).at(0), [FILM, 'T-3', 'T-4'])
  assert.deepEqual(found(doctored('T-9', { transType: 'NEW_USER' })), [[SIGN, 'T-9'], [PARTS]])
  assert.deepEqual(found(doctored('T-5', { transType: 'EXPIRED' })), [[SIGN, 'T-5'], [TOTAL], [PARTS]])
})

test('a balance that the rows do not bear out is found', () => {
  const { balance } = books()
  const withBalance = (change: object) => found(books({ balance: { ...balance, ...change } }))
  assert.deepEqual(withBalance({ available: 1106 }), [
    [AVAILABLE],
    ['What your packages have left is Available'],
    [PARTS],
  ])
  assert.deepEqual(withBalance({ frozen: 31 }), [[FROZEN], [PARTS]])
  assert.deepEqual(withBalance({ used: 15 }), [[USED], [PARTS]])
  assert.deepEqual(withBalance({ total: 1304 }), [[TOTAL], [PARTS]])
})

test('a CSV line keeps numbers as numbers and makes text harmless', () => {
  const line = csvLine(row(1, 'SYSTEM_ADJUST', -5, 55, { remark: '=HYPERLINK("http://x","y")', orderNo: '@a' }))
  assert.equal(csvHead.split(',').length, 10)
  assert.equal(
    line,
    '2026-11-11T12:00:00.000Z,T-1,SYSTEM_ADJUST,-5,55,,,\'@a,"\'=HYPERLINK(""http://x"",""y"")",row-1\r\n',
  )
  for (const remark of ['+1', '-1', '\t=1', ' =1', '\r=1'])
    assert.match(csvLine(row(1, 'NEW_USER', 1, 1, { remark })), /,"?'[\s]*[=+-]1"?,row-1\r\n$/, JSON.stringify(remark))
  assert.match(csvLine(row(1, 'NEW_USER', 1, 1, { remark: 'two\nlines' })), /,"two\nlines",/)
})

test('the chart begins with the period, or a little before the first row of somebody new', () => {
  const wanted = { rows: history(), cut: false, period: '30d', available: 1105, nowMs: NOW_MS } as const
  const whole = stepsOf(wanted)
  assert.equal(whole.steps.length, 10)
  assert.equal(whole.before, 0)
  assert.ok(whole.fromMs < NOW_MS - 9 * DAY_MS && whole.fromMs > NOW_MS - 10 * DAY_MS)

  const later = stepsOf({ ...wanted, nowMs: NOW_MS + 25.5 * DAY_MS })
  assert.equal(later.fromMs, NOW_MS - 4.5 * DAY_MS)
  assert.deepEqual([later.steps.length, later.before], [5, 324], 'what was there when the period began')

  const cut = stepsOf({ ...wanted, rows: history().slice(0, 3), cut: true, period: 'all' })
  assert.deepEqual([cut.fromMs, cut.before, cut.most], [NOW_MS - 2 * DAY_MS, 154, 1114])

  const none = stepsOf({ ...wanted, rows: [], available: 0 })
  assert.deepEqual([none.fromMs, none.steps, none.before], [NOW_MS - 30 * DAY_MS, [], 0])
})

test('rows whose clocks did not agree still stand in their order', () => {
  const rows = history().map((each) =>
    each.transNo === 'T-3' ? { ...each, createdAt: '2026-11-19T00:00:00.000Z' } : each,
  )
  const { steps } = stepsOf({ rows, cut: false, period: 'all', available: 1105, nowMs: NOW_MS })
  assert.ok(steps.every(({ atMs }, index) => atMs >= (steps[index - 1]?.atMs ?? 0)))
})

test('a moment shows the row in force at it', () => {
  const { steps } = stepsOf({ rows: history(), cut: false, period: 'all', available: 1105, nowMs: NOW_MS })
  assert.equal(stepAt(steps, NOW_MS - 20 * DAY_MS), 0)
  assert.equal(stepAt(steps, NOW_MS - 4.5 * DAY_MS), 4)
  assert.equal(stepAt(steps, NOW_MS + 1), 9)
  assert.equal(stepAt([], NOW_MS), -1)
})
