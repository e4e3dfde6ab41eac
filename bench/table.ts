/** The statistics of a benchmark and their table. */

/** A line of the table: the runs, whose median is printed, and the targets. */
export type Line = {
  what: string
  unit: string
  runs: number[]
  /** The median ratio to the baseline of the same run, and its minimum. */
  ratio?: { value: number; target: number }
  /** The minimum of the median, in the unit. */
  target?: number
  /** The maximum of the median, in the unit. */
  limit?: number
  note?: string
  /** Medians that `--write` keeps for the page of costs, in the unit of their name. */
  figures?: Partial<Record<Figure, number>>
}

/** What docs/planning.md computes with: processor time, bytes and MB. */
export type Figure =
  | 'generateApiUs'
  | 'generateDatabaseUs'
  | 'pollApiUs'
  | 'pollDatabaseUs'
  | 'filmDatabaseUs'
  | 'filmAloneDatabaseUs'
  | 'filmRowsBytes'
  | 'filmLogBytes'
  | 'filmTaskBytes'
  | 'inspectionUs'
  | 'wholeFilmWorkerUs'
  | 'wholeFilmChildrenUs'
  | 'gbDirectUs'
  | 'gbByProxyUs'
  | 'apiIdleMb'
  | 'workerIdleMb'
  | 'databaseIdleMb'

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return ((sorted[Math.ceil(sorted.length / 2) - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The nearest rank: the smallest value that at least this share (0 to 1) does not exceed; NaN without values. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? Number.NaN
}

/** Compares runs pairwise, because both runs of a pair had the same background load. */
export const medianRatio = (values: number[], baselines: number[]): number =>
  median(values.map((value, i) => value / (baselines[i] ?? Number.NaN)))

export function isMet({
  runs,
  ratio,
  target = Number.NEGATIVE_INFINITY,
  limit = Number.POSITIVE_INFINITY,
}: Line): boolean {
  const value = median(runs)
  return (ratio === undefined || ratio.value >= ratio.target) && value >= target && value <= limit
}

export function printTable(lines: Line[]): void {
  const rows = lines.map((line) => [
    line.what,
    `${whole(median(line.runs))} ${line.unit}`,
    line.runs.map(whole).join('  '),
    line.ratio ? line.ratio.value.toFixed(2) : '',
    goalOf(line),
    goalOf(line) === '' ? '' : isMet(line) ? 'met' : 'MISSED',
  ])
  const head = ['what', 'median', 'runs', 'ratio', 'target', '']
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const print = (cells: string[]) =>
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  print(head)
  print(widths.map((width) => '─'.repeat(width)))
  for (const row of rows) print(row)
  for (const { what, note } of lines) if (note) console.log(`\n${what}: ${note}`)
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

function goalOf({ ratio, target, limit }: Line): string {
  if (ratio) return `≥ ${ratio.target}`
  if (target !== undefined) return `≥ ${whole(target)}`
  return limit === undefined ? '' : `≤ ${whole(limit)}`
}
