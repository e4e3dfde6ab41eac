/**
 * What models cost: CPU time of a start with 200 model files and of a generate request of a model with 12 options and 6
 * rules, each alternating with the same without; and whether workers wait for each other at an account's limits.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDb } from '../server/src/db/db.ts'
import { newId } from '../server/src/id.ts'
import { type Bench, type BenchEnvironment, cpuUsOf, startServer } from './environment.ts'
import { load } from './requests.ts'
import { type Line, medianRatio } from './table.ts'
import { generateBody } from './users.ts'

const FILES = 200
const START_LIMIT_MS = 300
const STARTS = 5
const GENERATE_TARGET = 0.95
/** Pairs are short and many: what else runs on the machine changes in seconds. */
const PAIRS_EACH_RUN = 4
const WARM_UP_SECONDS = 2
const WORKERS = 16
const SAMPLE_MS = 5

const shipped = new URL('../catalogue/models/', import.meta.url)
const textOf = (name: string): string => readFileSync(new URL(name, shipped), 'utf8')
const withId = (name: string, id: string): string => textOf(name).replace(/"id": *"[^"]*"/, `"id": "${id}"`)

/** Five models of no rules and options, 200 files, and a copy of one of the five with 12 options and 6 rules. */
function writeFolders(): { folder: string; few: string; many: string; intricate: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-bench-models-'))
  const folderOf = (name: string, files: [id: string, text: string][]): string => {
    mkdirSync(path.join(folder, name, 'models'), { recursive: true })
    for (const [id, text] of files) writeFileSync(path.join(folder, name, 'models', `${id}.json`), text)
    return path.join(folder, name)
  }
  const names = readdirSync(shipped).filter((name) => !/"workflow"|"class_type"/.test(textOf(name)))
  const plain = ['alpha-2', 'beta-3-1', 'delta-1-5', 'gamma-2-6', 'model-e'].map(
    (id) => [id, textOf(`${id}.json`)] as [string, string],
  )
  const copies = Array.from({ length: FILES - plain.length }, (_, n) => {
    const id = `copy-${n}`
    return [id, withId(names[n % names.length] ?? '', id)] as [string, string]
  })
  return {
    folder,
    few: folderOf('few', plain),
    many: folderOf('many', [...plain, ...copies]),
    intricate: folderOf('intricate', [...plain, ['intricate', JSON.stringify(intricateModel())]]),
  }
}

/** delta-1-5 with what a request's check and defaults read. */
function intricateModel(): object {
  const style = { type: 'string', enum: ['film', 'anime', 'clay'], default: 'film' }
  const numbers = Object.fromEntries(
    ['strength', 'motion', 'shift'].map((name) => [name, { type: 'number', minimum: 0, maximum: 10 }]),
  )
  const flags = Object.fromEntries(
    ['loop', 'upscale', 'enhance', 'multiShot'].map((name) => [name, { type: 'boolean', default: false }]),
  )
  return {
    ...JSON.parse(textOf('delta-1-5.json')),
    id: 'intricate',
    options: {
      audio: { type: 'boolean', default: true },
      seed: { type: 'integer', minimum: 0, maximum: 100_000 },
      negativePrompt: { type: 'string' },
      camera: style,
      style,
      ...numbers,
      ...flags,
    },
    rules: [
      [{ quality: '1080p' }, { loop: [false] }],
      [{ style: 'anime' }, { audio: [false], seed: 'forbidden' }],
      [{ audio: true }, { strength: 'forbidden' }],
      [{ camera: ['anime', 'clay'] }, { upscale: [false] }],
      [{ mode: 'image-to-video' }, { shift: 'required' }],
      [{ style: 'clay', multiShot: true }, { duration: [4] }],
    ].map(([when, narrower]) =>
      Object.fromEntries([
        ['when', when],
        ['then', narrower],
      ]),
    ),
  }
}

export async function models({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const { folder, few, many, intricate } = writeFolders()
  try {
    return [
      ...(await starts(environment, few, many)),
      ...(await requests(environment, intricate, seconds / PAIRS_EACH_RUN, runs * PAIRS_EACH_RUN)),
      ...(await limits(environment, seconds)),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function starts(environment: BenchEnvironment, few: string, many: string): Promise<Line[]> {
  const cpuMs = async (CATALOGUE_DIR: string): Promise<number> => {
    const server = await startServer(environment, { CATALOGUE_DIR })
    const us = cpuUsOf(server.pid)
    await server.stop()
    return us / 1000
  }
  // The first start fills Node's compile cache.
  await cpuMs(few)
  const [without, withMany]: [number[], number[]] = [[], []]
  for (let i = 0; i < STARTS; i += 1) {
    without.push(await cpuMs(few))
    withMany.push(await cpuMs(many))
  }
  return [
    { what: 'CPU time of a start, 5 model files', unit: 'ms', runs: without },
    {
      what: `more with ${FILES}`,
      unit: 'ms',
      runs: withMany.map((ms, i) => ms - (without[i] ?? 0)),
      limit: START_LIMIT_MS,
    },
  ]
}

/** CPU time of the API per request. */
async function requests(environment: BenchEnvironment, dir: string, seconds: number, pairs: number): Promise<Line[]> {
  const server = await startServer(environment, { RATE_LIMITS: 'off', CATALOGUE_DIR: dir })
  const intricate = {
    ...generateBody,
    model: 'intricate',
    audio: false,
    seed: 7,
    options: { style: 'clay', strength: 0.5 },
  }
  const cpuUs = async (body: object, time = seconds): Promise<number> => {
    const startUs = await server.cpuUs()
    const { requests } = await load({ kind: 'generate', port: server.port, seconds: time, body })
    return ((await server.cpuUs()) - startUs) / requests
  }
  await cpuUs(generateBody, WARM_UP_SECONDS)
  await cpuUs(intricate, WARM_UP_SECONDS)
  const [without, withRules]: [number[], number[]] = [[], []]
  for (let i = 0; i < pairs; i += 1) {
    without.push(await cpuUs(generateBody))
    withRules.push(await cpuUs(intricate))
  }
  await server.stop()
  return [
    { what: 'POST /generate, model without options: CPU time of the API', unit: 'µs', runs: without },
    {
      what: 'POST /generate, model of 12 options and 6 rules: CPU time of the API',
      unit: 'µs',
      runs: withRules,
      ratio: { value: medianRatio(without, withRules), target: GENERATE_TARGET },
      note: 'the request states four of the options; the ratio is of the line above to this one.',
    },
  ]
}

/** 16 workers that take slots of one account, while a connection of its own looks for one that waits for a lock. */
async function limits({ databaseUrl }: BenchEnvironment, seconds: number): Promise<Line[]> {
  const sql = openDb(databaseUrl, { connections: WORKERS, name: 'kinora bench workers' })
  const watch = openDb(databaseUrl, { connections: 1, name: 'kinora bench' })
  const take = ({ tasks, submits }: { tasks: number | null; submits: number | null }) =>
    sql<[{ outcome: string }]>`
      select outcome from kinora.provider_take_slot(
        p_account => 'bench', p_holder => ${newId(new Date())}, p_concurrency => ${tasks}::integer, p_count => ${submits}::integer,
        p_seconds => 1, p_now => ${new Date()}
      )`
  const lines: Line[] = []
  for (const limit of [
    { what: '20 submits a second', tasks: null, submits: 20 },
    { what: '1,000 submits a second', tasks: null, submits: 1_000 },
    { what: '2,000 tasks', tasks: 2_000, submits: null },
  ]) {
    await sql`delete from kinora.provider_slot where account = 'bench'`
    const end = performance.now() + (seconds * 1000) / 3
    const [outcomes, waits]: [string[], number[]] = [[], []]
    const worker = async () => {
      while (performance.now() < end) outcomes.push((await take(limit))[0].outcome)
    }
    const watcher = async () => {
      while (performance.now() < end) {
        const [{ waiting }] = await watch<[{ waiting: number }]>`
          select count(*)::integer as waiting from pg_stat_activity where wait_event in ('tuple', 'transactionid') and application_name = 'kinora bench workers'`
        waits.push(waiting)
        await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
      }
    }
    await Promise.all([watcher(), ...Array.from({ length: WORKERS }, worker)])
    const taken = outcomes.filter((outcome) => outcome === 'taken').length
    lines.push({
      what: `${WORKERS} workers, an account of ${limit.what}: workers that wait for a row`,
      unit: '',
      runs: [Math.max(...waits)],
      limit: 0,
      note: `the most of ${waits.length} looks at pg_stat_activity; ${outcomes.length} calls, ${taken} slots taken.`,
    })
  }
  await Promise.all([sql.end(), watch.end()])
  return lines
}
