/**
 * `npm run bench:bloat -- --lifecycles 5000000`: what the updates of complete lifecycles leave behind, with autovacuum on and the
 * settings of production. Printed every tenth of the run: sizes of `video`, its indexes and the other tables, and dead rows. The
 * packed size is that after `vacuum full`, which keeps each table's fillfactor, at the end; that of an earlier step is its share by
 * the number of videos. Nothing is vacuumed by hand before.
 *
 * Five million lifecycles take 25 GB in TMPDIR, and as much again for a moment while the tables are packed.
 */
import { parseArgs } from 'node:util'
import { openDb, type Sql } from '../server/src/db/db.ts'
import { printLoadWarning } from './benchmark.ts'
import { cpuUsage, openEnvironment } from './environment.ts'
import { runLifecycles } from './lifecycles.ts'
import { grantCredits } from './users.ts'

const { values } = parseArgs({
  options: {
    lifecycles: { type: 'string', default: '300000' },
    connections: { type: 'string', default: '3' },
    /** Videos that a provider has at a time. */
    'in-flight': { type: 'string', default: '4096' },
    users: { type: 'string' },
  },
})
const lifecycles = Number(values.lifecycles)
const users = Number(values.users ?? Math.max(1000, Math.round(lifecycles / 100)))

const STEPS = 10
const GOAL = 1.3
/** Smaller tables are printed and not judged: a queue (`video_file`) is empty at the end, so its packed size is none. */
const JUDGED_SHARE = 0.01

/**
 * `bytes` of a table without its indexes, or of an index; `table`: that an index belongs to, null for a table. Dead rows, and
 * autovacuum's runs and their time, are of tables only.
 */
type Relation = {
  name: string
  table: string | null
  bytes: number
  dead: number
  vacuums: number
  vacuumSeconds: number
}
type Step = { videos: number; seconds: number; relations: Relation[] }

const bytesOf = (relations: Relation[], isCounted: (relation: Relation) => boolean): number =>
  relations.filter(isCounted).reduce((sum, { bytes }) => sum + bytes, 0)
const isVideo = ({ name, table }: Relation) => (table ?? name) === 'video'
const isOther = (relation: Relation) => !isVideo(relation)
const deadOf = (relations: Relation[], name: string) => relations.find((each) => each.name === name)?.dead ?? 0
const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0)

const usage = await cpuUsage()
const environment = await openEnvironment()
const sql = openDb(environment.databaseUrl, { connections: 1, name: 'kinora bench', statementTimeoutMs: 0 })
try {
  await grantCredits(sql, users)
  const steps: Step[] = []
  const startMs = performance.now()
  let nextStep = 1
  let reading = Promise.resolve()
  const read = async (videos: number) => {
    const seconds = (performance.now() - startMs) / 1000
    const relations = await readRelations(sql)
    steps.push({ videos, seconds, relations })
    console.error(progressOf({ videos, seconds, relations }))
  }
  await runLifecycles({
    databaseUrl: environment.databaseUrl,
    videos: lifecycles,
    users,
    connections: Number(values.connections),
    inFlight: Number(values['in-flight']),
    onProgress: (done) => {
      if (done < (lifecycles * nextStep) / STEPS) return
      nextStep += 1
      reading = reading.then(() => read(done))
    },
  })
  const seconds = (performance.now() - startMs) / 1000
  await reading
  const packed = await pack(sql)
  console.log(
    `\n${lifecycles.toLocaleString('en')} lifecycles of ${users.toLocaleString('en')} users in ${seconds.toFixed(0)} s: ` +
      `${Math.round(lifecycles / seconds).toLocaleString('en')} a second, ${values.connections} connections\n`,
  )
  printLoadWarning(usage)
  printSteps(steps, packed)
  process.exitCode = printRelations(steps, packed) ? 0 : 1
} finally {
  await sql.end()
  await environment.close()
}

async function readRelations(sql: Sql): Promise<Relation[]> {
  return await sql<Relation[]>`
    select c.relname as name, null as table, pg_table_size(c.oid) as bytes, s.n_dead_tup as dead,
           s.autovacuum_count as vacuums, s.total_autovacuum_time / 1000 as vacuum_seconds
    from pg_class c
    join pg_stat_user_tables s on s.relid = c.oid
    where s.schemaname = 'kinora' and s.n_tup_ins > 0
    union all
    select i.indexrelname, i.relname, pg_relation_size(i.indexrelid), 0, 0, 0
    from pg_stat_user_indexes i
    join pg_stat_user_tables s on s.relid = i.relid
    where s.schemaname = 'kinora' and s.n_tup_ins > 0
  `
}

/** Rewrites each table and its indexes. */
async function pack(sql: Sql): Promise<Relation[]> {
  const tables = (await readRelations(sql)).filter(({ table }) => table === null)
  await sql.unsafe(`set maintenance_work_mem = '1GB'`)
  for (const { name } of tables) {
    console.error(`packing ${name} …`)
    await sql.unsafe(`vacuum (full) kinora.${name}`)
  }
  return await readRelations(sql)
}

function progressOf({ videos, seconds, relations }: Step): string {
  const heap = bytesOf(relations, ({ name }) => name === 'video')
  return (
    `  ${videos} videos, ${seconds.toFixed(0)} s: video ${megabytes(heap)} MB, its indexes ` +
    `${megabytes(bytesOf(relations, isVideo) - heap)} MB, other tables with indexes ${megabytes(bytesOf(relations, isOther))} MB, ` +
    `${deadOf(relations, 'video')} dead rows of video`
  )
}

function printSteps(steps: Step[], packed: Relation[]): void {
  const row = (cells: string[]) => console.log(cells.map((cell) => cell.padStart(13)).join(''))
  row(['videos', 'seconds', 'video MB', 'packed MB', 'ratio', 'others MB', 'packed MB', 'ratio', 'dead videos'])
  for (const { videos, seconds, relations } of steps) {
    const groups = [isVideo, isOther].flatMap((isCounted) => {
      const [bytes, least] = [bytesOf(relations, isCounted), (bytesOf(packed, isCounted) * videos) / lifecycles]
      return [megabytes(bytes), megabytes(least), (bytes / least).toFixed(2)]
    })
    row([`${videos}`, seconds.toFixed(0), ...groups, `${deadOf(relations, 'video')}`])
  }
}

/** @returns whether every goal is met: of each table with its indexes. An index by itself is printed and not judged. */
function printRelations(steps: Step[], packed: Relation[]): boolean {
  const last = steps.at(-1)?.relations ?? []
  const judgedBytes = bytesOf(last, () => true) * JUDGED_SHARE
  const leastOf = (relations: Relation[]) =>
    bytesOf(packed, ({ name }) => relations.some((relation) => relation.name === name))
  const row = (name: string, cells: string[]) =>
    console.log(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(12)).join('')}`)
  const figures = (relations: Relation[]) => {
    const [bytes, least] = [bytesOf(relations, () => true), leastOf(relations)]
    return { bytes, least, cells: [megabytes(bytes), megabytes(least), (bytes / least).toFixed(2)] }
  }
  const tables = last
    .filter(({ table }) => table === null)
    .map((table) => ({ ...table, own: last.filter((each) => (each.table ?? each.name) === table.name) }))
    .toSorted((a, b) => bytesOf(b.own, () => true) - bytesOf(a.own, () => true))
  console.log()
  row('at the end', ['MB', 'packed MB', 'ratio', `≤ ${GOAL}`, 'dead rows', 'vacuums', 'of seconds'])
  let areMet = true
  for (const { name, own, dead, vacuums, vacuumSeconds } of tables) {
    const { bytes, least, cells } = figures(own)
    const isMet = bytes <= least * GOAL
    const isJudged = name === 'video' || bytes >= judgedBytes
    if (isJudged) areMet &&= isMet
    const goal = isJudged ? (isMet ? 'met' : 'MISSED') : ''
    row(`${name} with its indexes`, [...cells, goal, `${dead}`, `${vacuums}`, vacuumSeconds.toFixed(0)])
    for (const each of own) row(`  ${each.name}`, figures([each]).cells)
  }
  return areMet
}
