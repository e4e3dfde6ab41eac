/**
 * `node bench/planning.ts`: machines and money for 1,000, 10,000 and 100,000 films a minute, from measured costs.
 * `--write` puts the tables into docs/planning.md. Prices, sizes and habits are assumptions, and each is an option:
 * `--film-mb 20 --views 3`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Measured; the page names the source of each. Seconds of a CPU for each film, and bytes. */
const MEASURED = {
  /** PostgreSQL, all steps of a video, in sets of 64 and each alone: docs/distributed.md. */
  databaseInSets: 0.00064,
  databaseAlone: 0.0073,
  /** What background processes add (writing, vacuum): assumed as a third. */
  databaseBackground: 4 / 3,
  /** Rows and indexes, with their bloat: docs/growing.md. Those that stay: video, hold, slice, history. */
  rowBytes: 2200,
  /** What retention removes: the log of a video after KEEP_VIDEO_LOGS, its task after KEEP_PROVIDER_TASKS. */
  logBytes: 660,
  logDays: 180,
  taskBytes: 210,
  taskDays: 90,
  /** A generate request and ten polls, without tracing: docs/observability.md. */
  api: 0.000115 + 10 * 0.000042,
  /** Inspection and thumbnail, from the children's build: decisions/0030. */
  worker: 0.236,
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    'film-mb': { type: 'string', default: '10' },
    'kept-days': { type: 'string', default: '30' },
    views: { type: 'string', default: '1' },
    /** Share of a CPU that is used at the stated rate. */
    load: { type: 'string', default: '0.5' },
    'node-cpus': { type: 'string', default: '16' },
    /** The most rows and indexes, in bytes, on one database node: beyond it backups and restores take a day. */
    'node-tb': { type: 'string', default: '4' },
    'books-years': { type: 'string', default: '2' },
    'cpu-month': { type: 'string', default: '25' },
    'disk-gb-month': { type: 'string', default: '0.10' },
    'storage-gb-month': { type: 'string', default: '0.023' },
    'traffic-gb': { type: 'string', default: '0.05' },
  },
})
const number = (name: Exclude<keyof typeof values, 'write'>): number => Number(values[name])

const RATES = [1000, 10_000, 100_000]
const DAY_MINUTES = 24 * 60
const MONTH_MINUTES = 30 * DAY_MINUTES

const plans = RATES.map((perMinute) => {
  const perSecond = perMinute / 60
  const cpus = (seconds: number) => Math.max(2, Math.ceil((perSecond * seconds) / number('load')))
  // Sets need requests that are under way together: below a thousand films a second each step is counted alone.
  const database = cpus(
    (perSecond < 1000 ? MEASURED.databaseAlone : MEASURED.databaseInSets) * MEASURED.databaseBackground,
  )
  const api = cpus(MEASURED.api)
  const worker = cpus(MEASURED.worker)
  const bytesOf = (bytes: number, days: number) => perMinute * DAY_MINUTES * days * bytes
  const rowsTb =
    (bytesOf(MEASURED.rowBytes, 365 * number('books-years')) +
      bytesOf(MEASURED.logBytes, MEASURED.logDays) +
      bytesOf(MEASURED.taskBytes, MEASURED.taskDays)) /
    1e12
  const nodes = Math.max(1, Math.ceil(database / number('node-cpus')), Math.ceil(rowsTb / number('node-tb')))
  // A standby for each, and a coordinator with one.
  const machines = nodes === 1 ? 2 : 2 * nodes + 2
  const storedTb = (perMinute * DAY_MINUTES * number('kept-days') * number('film-mb')) / 1e6
  const trafficTb = (perMinute * MONTH_MINUTES * number('film-mb') * number('views')) / 1e6
  const databaseCpus = nodes === 1 ? 2 * database : machines * Math.min(number('node-cpus'), Math.max(4, database))
  return {
    perMinute,
    database,
    rowsTb,
    nodes,
    machines,
    api,
    worker,
    storedTb,
    trafficTb,
    gbitPerSecond: (perSecond * number('film-mb') * 8 * number('views')) / 1000,
    money: {
      database: databaseCpus * number('cpu-month') + 2 * rowsTb * 1000 * number('disk-gb-month'),
      processes: (api + worker) * number('cpu-month'),
      storage: storedTb * 1000 * number('storage-gb-month'),
      traffic: trafficTb * 1000 * number('traffic-gb'),
    },
  }
})

const text = [
  table('Films a minute', ({ perMinute }) => round(perMinute), [
    ['CPUs of the database', ({ database }) => round(database)],
    [`rows and indexes after ${values['books-years']} years, TB`, ({ rowsTb }) => round(rowsTb)],
    ['**database nodes**', ({ nodes }) => (nodes === 1 ? '1 primary' : `${nodes} and a coordinator`)],
    ['database machines with standbys', ({ machines }) => round(machines)],
    ['CPUs of `kinora api`', ({ api }) => round(api)],
    ['CPUs of `kinora worker`', ({ worker }) => round(worker)],
    [`films stored for ${values['kept-days']} days, TB`, ({ storedTb }) => round(storedTb)],
    ['films to viewers, TB a month', ({ trafficTb }) => round(trafficTb)],
    ['the same, Gbit/s on average', ({ gbitPerSecond }) => round(gbitPerSecond)],
  ]),
  table('Dollars a month', ({ perMinute }) => round(perMinute), [
    ['database', ({ money }) => round(money.database)],
    ['API and workers', ({ money }) => round(money.processes)],
    ['storage of films', ({ money }) => round(money.storage)],
    ['traffic of films', ({ money }) => round(money.traffic)],
    ['**all**', ({ money }) => round(Object.values(money).reduce((sum, each) => sum + each))],
    [
      'cents a film',
      ({ money, perMinute }) =>
        ((Object.values(money).reduce((sum, each) => sum + each) * 100) / (perMinute * MONTH_MINUTES)).toFixed(3),
    ],
  ]),
].join('\n\n')

if (values.write) {
  const page = new URL('../docs/planning.md', import.meta.url)
  const [before = '', , after = ''] = readFileSync(page, 'utf8').split(/<!-- (?:tables|end) -->\n/)
  writeFileSync(page, `${before}<!-- tables -->\n${text}\n<!-- end -->\n${after}`)
} else {
  console.log(text)
}

type Plan = (typeof plans)[number]

function table(title: string, head: (plan: Plan) => string, rows: [string, (plan: Plan) => string][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line([title, ...plans.map(head)]),
    line(['---', ...plans.map(() => '---:')]),
    ...rows.map(([name, cell]) => line([name, ...plans.map(cell)])),
  ].join('\n')
}

/** Two digits of small numbers, three of others. */
function round(value: number): string {
  return Number(value.toPrecision(value < 10 ? 2 : 3)).toLocaleString('en-US')
}
