/**
 * `node bench/planning.ts`: machines and money for 1,000, 100,000 and 10 million films a day, from what `npm run bench
 * -- --write` has measured (bench/figures.json). `--write` puts the tables into docs/planning.md. Prices, sizes and
 * habits are assumptions, and each is an option: `--film-mb 20 --views 3`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readFigures } from './figures.ts'

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    'film-mb': { type: 'string', default: '10' },
    'kept-days': { type: 'string', default: '30' },
    views: { type: 'string', default: '1' },
    /** Reads of its status, by a poll or an event. */
    polls: { type: 'string', default: '10' },
    /** Busiest hour over the mean: the rate that the CPUs are for. */
    peak: { type: 'string', default: '3' },
    /** Share of a CPU that is used at the peak. */
    load: { type: 'string', default: '0.5' },
    /** What background processes of PostgreSQL add (writing, vacuum), over what requests cost. */
    background: { type: 'string', default: '1.33' },
    /** Share of the database's rows that its RAM should hold: those of the last days. */
    'hot-rows': { type: 'string', default: '0.05' },
    'child-mb': { type: 'string', default: '150' },
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

const RATES = [1000, 100_000, 10_000_000]
/** As KEEP_VIDEO_LOGS and KEEP_PROVIDER_TASKS are without a setting. */
const LOG_DAYS = 180
const TASK_DAYS = 90
const DAY_S = 86_400
const MONTH_DAYS = 30
/** Sets need films that are under way together: below so many a second each is counted alone. */
const SETS_PER_SECOND = 50
/** The least of a machine, however little there is to do. */
const CPUS_MIN = 2

const measured = readFigures()
const filmGb = number('film-mb') / 1000

const plans = RATES.map((perDay) => {
  const peakPerSecond = (perDay / DAY_S) * number('peak')
  const isInSets = peakPerSecond >= SETS_PER_SECOND
  const cpus = (us: number) => (peakPerSecond * us) / 1e6 / number('load')
  const polls = number('polls')
  const filmUs = isInSets ? measured.filmDatabaseUs : measured.filmAloneDatabaseUs
  const databaseUs = measured.generateDatabaseUs + filmUs + polls * measured.pollDatabaseUs
  const database = cpus(databaseUs * number('background'))
  // An operator who stores films in a folder serves them by the proxy; of S3 they come from there.
  const api = cpus(measured.generateApiUs + polls * measured.pollApiUs)
  const proxy = cpus(number('views') * filmGb * measured.gbByProxyUs)
  const inspection = cpus(measured.inspectionUs)
  const worker = cpus(measured.wholeFilmWorkerUs)
  const tb = (bytes: number, days: number) => (perDay * days * bytes) / 1e12
  const rowsTb =
    tb(measured.filmRowsBytes, 365 * number('books-years')) +
    tb(measured.filmLogBytes, LOG_DAYS) +
    tb(measured.filmTaskBytes, TASK_DAYS)
  const nodes = Math.max(1, Math.ceil(database / number('node-cpus')), Math.ceil(rowsTb / number('node-tb')))
  const isOneMachine = database + api + proxy + inspection + worker <= CPUS_MIN
  // A standby for each, and a coordinator with one. One machine for all has none but its backup.
  const machines = isOneMachine ? 1 : nodes === 1 ? 2 : 2 * nodes + 2
  const rented = (used: number) => (isOneMachine ? used : Math.max(CPUS_MIN, Math.ceil(used)))
  const storedTb = (perDay * number('kept-days') * filmGb) / 1000
  const trafficTb = (perDay * MONTH_DAYS * filmGb * number('views')) / 1000
  const databaseCpus = isOneMachine
    ? CPUS_MIN - api - proxy - worker - inspection
    : machines * Math.min(number('node-cpus'), Math.max(4, Math.ceil(database)))
  const ramGb = {
    database: Math.max(1, measured.databaseIdleMb / 1000 + rowsTb * 1000 * number('hot-rows')),
    processes:
      (Math.ceil(api) * measured.apiIdleMb +
        Math.ceil(worker) * measured.workerIdleMb +
        Math.ceil(inspection) * number('child-mb')) /
      1000,
  }
  return {
    perDay,
    database,
    rowsTb,
    nodes,
    isOneMachine,
    machines,
    api,
    proxy,
    worker,
    inspection,
    ramGb,
    storedTb,
    trafficTb,
    gbitPerSecond: peakPerSecond * filmGb * 8 * number('views'),
    ingestGbit: peakPerSecond * filmGb * 8,
    money: {
      database: databaseCpus * number('cpu-month') + 2 * rowsTb * 1000 * number('disk-gb-month'),
      processes: (rented(api) + rented(proxy) + rented(worker) + rented(inspection)) * number('cpu-month'),
      storage: storedTb * 1000 * number('storage-gb-month'),
      traffic: trafficTb * 1000 * number('traffic-gb'),
    },
  }
})

const sumOf = ({ money }: Plan) => Object.values(money).reduce((sum, each) => sum + each)
const head = ({ perDay }: Plan) => round(perDay)
const text = [
  table('Films a day', head, [
    ['CPUs of PostgreSQL, half used in the busiest hour', ({ database }) => round(database)],
    [`rows and indexes after ${values['books-years']} years, TB`, ({ rowsTb }) => round(rowsTb)],
    ['RAM of PostgreSQL, GB', ({ ramGb }) => round(ramGb.database)],
    [
      '**database nodes**',
      ({ nodes, isOneMachine }) =>
        isOneMachine ? 'in one machine' : nodes === 1 ? '1 primary' : `${nodes} and a coordinator`,
    ],
    ['machines for it, with standbys', ({ machines }) => round(machines)],
    ['CPUs of `kinora api`', ({ api }) => round(api)],
    ['CPUs of `kinora worker`', ({ worker }) => round(worker)],
    ['CPUs of inspections, beside the worker', ({ inspection }) => round(inspection)],
    ['CPUs of the proxy, where films are in a folder', ({ proxy }) => round(proxy)],
    ['RAM of API, workers and inspections, GB', ({ ramGb }) => round(ramGb.processes)],
    [`films stored for ${values['kept-days']} days, TB`, ({ storedTb }) => round(storedTb)],
    ['films to viewers, TB a month', ({ trafficTb }) => round(trafficTb)],
    ['the same in the busiest hour, Gbit/s', ({ gbitPerSecond }) => round(gbitPerSecond)],
    ['films from providers in the busiest hour, Gbit/s', ({ ingestGbit }) => round(ingestGbit)],
  ]),
  table('Dollars a month', head, [
    ['database', ({ money }) => round(money.database)],
    ['API, workers, inspections and proxy', ({ money }) => round(money.processes)],
    ['storage of films', ({ money }) => round(money.storage)],
    ['traffic of films', ({ money }) => round(money.traffic)],
    ['**all**', (plan) => round(sumOf(plan))],
    ['cents a film', (plan) => ((sumOf(plan) * 100) / (plan.perDay * MONTH_DAYS)).toFixed(3)],
  ]),
  [
    '| Measured | | by `npm run bench -- --write --only` |',
    '| --- | ---: | --- |',
    ...[
      ['generate: API, PostgreSQL', ['generateApiUs', 'generateDatabaseUs'], 'µs', 'generate'],
      ['a read of the status: API, PostgreSQL', ['pollApiUs', 'pollDatabaseUs'], 'µs', 'read'],
      ['a film after it, in sets: PostgreSQL', ['filmDatabaseUs'], 'µs', 'lifecycle'],
      ['the same alone, with polls for work: PostgreSQL', ['filmAloneDatabaseUs'], 'µs', 'lifecycle'],
      ['a whole film of 3.8 MB: worker, its children', ['wholeFilmWorkerUs', 'wholeFilmChildrenUs'], 'µs', 'films'],
      [
        'its rows that stay; its log; its task',
        ['filmRowsBytes', 'filmLogBytes', 'filmTaskBytes'],
        'bytes',
        'lifecycle',
      ],
      [
        'inspection of a film by a child of its own: of a user who has one film a minute or fewer',
        ['inspectionUs'],
        'µs',
        'inspection',
      ],
      ['a GB to viewers: by the proxy, by the API', ['gbByProxyUs', 'gbDirectUs'], 'µs', 'files'],
      [
        'RAM of an idle process: API, worker, PostgreSQL',
        ['apiIdleMb', 'workerIdleMb', 'databaseIdleMb'],
        'MB',
        'idle',
      ],
    ].map(
      ([what, names, unit, by]) => `| ${what} | ${figures(names as (keyof typeof measured)[])} ${unit} | \`${by}\` |`,
    ),
  ].join('\n'),
].join('\n\n')

if (values.write) {
  const page = new URL('../docs/planning.md', import.meta.url)
  const [before = '', , after = ''] = readFileSync(page, 'utf8').split(/<!-- (?:tables|end) -->\n/)
  writeFileSync(page, `${before}<!-- tables -->\n${text}\n<!-- end -->\n${after}`)
} else {
  console.log(text)
}

type Plan = (typeof plans)[number]

function figures(names: (keyof typeof measured)[]): string {
  return names.map((name) => measured[name].toLocaleString('en-US')).join('; ')
}

function table(title: string, headOf: (plan: Plan) => string, rows: [string, (plan: Plan) => string][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line([title, ...plans.map(headOf)]),
    line(['---', ...plans.map(() => '---:')]),
    ...rows.map(([name, cell]) => line([name, ...plans.map(cell)])),
  ].join('\n')
}

/** Two digits of small numbers, three of others. */
function round(value: number): string {
  if (value > 0 && value < 0.01) return '< 0.01'
  return Number(value.toPrecision(value < 10 ? 2 : 3)).toLocaleString('en-US')
}
