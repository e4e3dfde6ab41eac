/** The frame of a benchmark script: options, environment, table, exit status. */
import { parseArgs } from 'node:util'
import { type BenchEnvironment, cpuUsage, openEnvironment } from './environment.ts'
import { type Line, printTable } from './table.ts'
import { verifyBooks } from './verify-books.ts'

/**
 * Opens an environment, verifies its books, prints the table of what is measured in it, and sets exit status 1 when a target is missed.
 * Options: `--seconds` of each run, `--runs`.
 */
export async function runBenchmark(
  defaultSeconds: number,
  measure: (
    environment: BenchEnvironment,
    options: { seconds: number; runs: number },
  ) => Promise<{ lines: Line[]; isMet: boolean }>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: String(defaultSeconds) },
      runs: { type: 'string', default: '3' },
    },
  })
  const usage = await cpuUsage()
  const environment = await openEnvironment()
  try {
    const { lines, isMet } = await measure(environment, { seconds: Number(values.seconds), runs: Number(values.runs) })
    await verifyBooks(environment)
    printLoadWarning(usage)
    printTable(lines)
    process.exitCode = isMet ? 0 : 1
  } finally {
    await environment.close()
  }
}

/** @param usage the share of the CPUs in use before the benchmark, 0 to 1; up to 0.1 there is no warning */
export function printLoadWarning(usage: number): void {
  if (usage <= 0.1) return
  console.log(
    `Other programs used ${Math.round(usage * 100)} % of the CPUs before the benchmark: rates are lower than on an idle ` +
      'machine, and so are ratios, because the API is a single process.\n',
  )
}
