/** `kinora costs`: what films have cost and earned in a period, as a table or CSV, for an operator at the machine. */
import { type Costs, type CostsQuery, costs, costsCsv } from '../admin/costs.ts'
import { GROUPINGS, type Grouping } from '../admin/film-sums.ts'
import { openApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { openLog } from '../process/log.ts'

/** @returns the exit status */
export async function costsCommand(config: Config, args: string[]): Promise<number> {
  const { values } = readArguments('costs', {
    args,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      by: { type: 'string', default: 'route' },
      csv: { type: 'boolean', default: false },
    },
  })
  const { from, to, by, csv } = values
  const groupBy = groupingsOf(by)
  const app = await openApp(config, openLog(config))
  try {
    const query: CostsQuery = {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      groupBy,
    }
    if (csv) {
      for await (const lines of costsCsv(app, query)) process.stdout.write(lines)
      return 0
    }
    const found = await costs(app, query)
    for (const line of linesOf(found, config.site.timeZone)) console.log(line)
    if (!found.isComplete) console.error(MORE_ROWS)
    return 0
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_REQUEST')
      throw new UsageError(`kinora costs: ${error.message}`)
    throw error
  } finally {
    await app.close()
  }
}

function groupingsOf(by: string): Grouping[] {
  const groups = by.split(',').map((name) => GROUPINGS.find((each) => each === name))
  const known = groups.filter((each) => each !== undefined)
  if (known.length < groups.length)
    throw new UsageError(`kinora costs: --by takes one or more of ${GROUPINGS.join(', ')}, with commas between them.`)
  return known
}

const MORE_ROWS = 'There are more rows than these 10,000: --csv writes all of them.'

function linesOf({ from, to, rows, total }: Awaited<ReturnType<typeof costs>>, zone: string): string[] {
  const table = [HEADINGS, ...rows.map(cellsOf), ['total', ...cellsOf(total).slice(1)]]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)))
  const unpriced = total.unpriced.map(({ unit, amount }) => `${amount} ${unit}, whose value in USD is unknown`)
  return [
    `Films that ended from ${from} to ${to} (${zone}).`,
    ...table.map((cells) =>
      cells
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    ),
    ...(total.unknownCosts > 0 ? [`Films whose cost is unknown, and in no sum: ${total.unknownCosts}.`] : []),
    ...(total.unvaluedCredits > 0
      ? [`Credits that were not sold in USD, or whose payment is apart, in no sum: ${total.unvaluedCredits}.`]
      : []),
    ...(unpriced.length > 0 ? [`Providers stated: ${unpriced.join('; ')}.`] : []),
  ]
}

const HEADINGS = [
  '',
  'films',
  'failed',
  'cancelled',
  'seconds',
  'credits',
  'returned',
  'earned',
  'cost',
  'margin',
  'unknown',
  'p50',
  'p95',
]

/** Credits are whole numbers; what is unknown is a dash. */
function cellsOf(row: Costs): string[] {
  const { films, failed, cancelled, filmSeconds, creditsEarned, creditsReturned, unknownCosts } = row
  const numbers = [films, failed, cancelled, Math.round(filmSeconds), creditsEarned, creditsReturned].map(String)
  return [
    nameOf(row),
    ...numbers,
    usd(row.earnedUsd),
    usd(row.costUsd),
    usd(row.marginUsd),
    String(unknownCosts),
    seconds(row.p50Seconds),
    seconds(row.p95Seconds),
  ]
}

const nameOf = ({ day, model, account, vendorModel, userId, email }: Costs): string =>
  [day, model, account, vendorModel, email ?? userId].filter((part) => part !== null).join(' ')
/** A loss below a cent is none. */
const usd = (amount: number | null): string =>
  amount === null ? '–' : `$${amount.toFixed(2)}`.replace('$-', '-$').replace(/^-(?=\$0\.00$)/, '')
const seconds = (count: number | null): string => (count === null ? '–' : `${count} s`)
