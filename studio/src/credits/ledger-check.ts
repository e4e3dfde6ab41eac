/**
 * The arithmetic of "Check my books": recomputes from all rows of a history what the balance and the packages say. The
 * rule: nothing is taken on trust that the rows can tell, and each difference names its row where it has one.
 */
import type { DataOf } from '@kinora/client'
import { formatNumber } from '../ui/format.ts'

export type Row = DataOf<'get', '/api/v1/credit/history'>['transactions'][number]
export type Balance = DataOf<'get', '/api/v1/credit/balance'>
export type Package = DataOf<'get', '/api/v1/credit/packages'>['packages'][number]

/** All rows, newest first, with the other answers of the same moment. `counted`: how many rows the service says there are. */
export type Books = { rows: Row[]; counted: number; balance: Balance; packages: Package[] }

/** Whole credits, or a number of rows. `row` is missing where the difference is one of sums. */
export type Difference = { row?: Row; expected: string; found: string }
export type Check = {
  rule: string
  /** What was compared, with its numbers, when it is right. */
  seen: string
  differences: Difference[]
}

/** Every check in the order in which it is told; the books are right when no check has a difference. */
export function checkBooks({ rows, counted, balance, packages }: Books): Check[] {
  const { expired, clawedBack, received, frozen, used } = sumsOf(rows)
  const parts = balance.available + balance.frozen + balance.used + expired + clawedBack
  return [
    same('Every row has been read once', 'row', counted, new Set(rows.map(({ transNo }) => transNo)).size),
    rowByRow('Each row leaves what the row before it left, plus its own credits', rows, followsFromBefore(rows)),
    rowByRow('Each row adds or takes as its type does', rows, signDiffers),
    rowByRow('Each film is charged once; what was released came back once, in full', rows, filmDiffers(rows)),
    same('All rows add up to Available', 'credit', sum(rows.map(({ credits }) => credits)), balance.available),
    same(
      'What your packages have left is Available',
      'credit',
      sum(packages.map((p) => p.remaining)),
      balance.available,
    ),
    same('The rows of films in progress add up to Frozen', 'credit', frozen, balance.frozen),
    same('The rows of finished films add up to Used', 'credit', used, balance.used),
    same('The rows of additions add up to Total', 'credit', received, balance.total),
    {
      rule: 'Total is Available + Frozen + Used + expired + taken back',
      seen: `${formatNumber(balance.total)} = ${[balance.available, balance.frozen, balance.used, expired, clawedBack].map(formatNumber).join(' + ')}`,
      differences:
        parts === balance.total ? [] : [{ expected: formatNumber(parts), found: formatNumber(balance.total) }],
    },
  ]
}

/**
 * What the rows say of the quantities. A row of a purchase with negative credits is one that a refund or a dispute took
 * back; the credits of a released film came back by a row of their own.
 */
export function sumsOf(rows: Row[]) {
  const of = (wanted: (row: Row) => boolean) => sum(rows.filter(wanted).map(({ credits }) => credits))
  return {
    received: of((row) => isAddition(row) && row.credits > 0),
    clawedBack: 0 - of((row) => isPaid(row) && row.credits < 0),
    expired: 0 - of((row) => row.transType === 'EXPIRED'),
    frozen: 0 - of((row) => row.transType === 'VIDEO_CONSUME' && row.state === 'frozen'),
    used: 0 - of((row) => row.transType === 'VIDEO_CONSUME' && row.state === 'settled'),
  }
}

const isPaid = ({ transType }: Row): boolean => transType === 'ORDER_PAY' || transType === 'SUBSCRIPTION'
const isAddition = ({ transType }: Row): boolean => !['VIDEO_CONSUME', 'REFUND', 'EXPIRED'].includes(transType)
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

function same(rule: string, unit: 'row' | 'credit', expected: number, found: number): Check {
  const differences = expected === found ? [] : [{ expected: amount(expected, unit), found: amount(found, unit) }]
  return { rule, seen: amount(found, unit), differences }
}
const amount = (value: number, unit: string): string => `${formatNumber(value)} ${unit}${value === 1 ? '' : 's'}`

type Judge = (row: Row, index: number) => Difference | null

function rowByRow(rule: string, rows: Row[], judge: Judge): Check {
  const differences = rows.map(judge).filter((difference) => difference !== null)
  return { rule, seen: amount(rows.length, 'row'), differences: differences.reverse() }
}

/** From what the row before says, and not from a sum of our own: then one wrong row does not spoil all after it. */
const followsFromBefore =
  (rows: Row[]): Judge =>
  (row, index) => {
    const expected = (rows[index + 1]?.balanceAfter ?? 0) + row.credits
    return expected === row.balanceAfter && row.balanceAfter >= 0
      ? null
      : { row, expected: `${formatNumber(expected)} after it`, found: `${formatNumber(row.balanceAfter)} after it` }
  }

const signDiffers: Judge = (row) => {
  const takes = row.transType === 'VIDEO_CONSUME' || row.transType === 'EXPIRED'
  // Only what was paid for can be taken back.
  const either = isPaid(row)
  if (Number.isInteger(row.credits) && (either ? row.credits !== 0 : takes ? row.credits < 0 : row.credits > 0))
    return null
  return { row, expected: `${row.transType} ${takes ? 'takes' : 'adds'} credits`, found: amount(row.credits, 'credit') }
}

function filmDiffers(rows: Row[]): Judge {
  const ofFilm = new Map<string, { taken: Row[]; returned: Row[] }>()
  for (const row of rows) {
    if (!isOfFilm(row) || !row.videoUuid) continue
    const film = ofFilm.get(row.videoUuid) ?? { taken: [], returned: [] }
    film[row.transType === 'REFUND' ? 'returned' : 'taken'].push(row)
    ofFilm.set(row.videoUuid, film)
  }
  return (row) => {
    if (!isOfFilm(row)) return null
    const { taken, returned } = ofFilm.get(row.videoUuid ?? '') ?? { taken: [], returned: [] }
    if (taken.length !== 1) return { row, expected: 'one charge for its film', found: amount(taken.length, 'charge') }
    if (row.state !== 'frozen' && row.state !== 'settled' && row.state !== 'released')
      return { row, expected: 'frozen, settled or released', found: row.state ?? 'no state' }
    const expected = row.state === 'released' ? 0 - (taken[0]?.credits ?? 0) : 0
    const back = sum(returned.map(({ credits }) => credits))
    return expected === back && returned.length <= 1
      ? null
      : {
          row,
          expected: `${amount(expected, 'credit')} back (${row.state})`,
          found: `${amount(back, 'credit')} back in ${amount(returned.length, 'row')}`,
        }
  }
}

const isOfFilm = ({ transType }: Row): boolean => transType === 'VIDEO_CONSUME' || transType === 'REFUND'
