/**
 * `kinora provenance check FILE`: the content credentials of a film or poster, against its bytes, and whether it was
 * made here.
 *   --url https://films.example.com   asks that service, and not the database of the settings
 * `kinora provenance sign --all`: has the workers of the running service sign the stored films that have none, such as
 * those of PROVENANCE=off, and prints how far they are. Each keeps its link. What is due is in the rows, so a command
 * or a worker that ends loses nothing.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { unsignedFilms } from '../admin/unsigned-films.ts'
import type { App } from '../app.ts'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { openDatabase } from '../db/database.ts'
import { openHttpClient } from '../net/http-client.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { type Credentials, checkFile } from '../provenance/check.ts'
import { accounts } from '../provider/accounts.ts'
import { counted } from '../text/counted.ts'
import { at } from '../text/json-reader.ts'
import { manifestKeyOf } from '../video/film-files.ts'
import { videosMarkUnsigned } from '../video/film-transitions.ts'
import { findProvenance } from '../video/provenance-record.ts'
import type { Terminal } from './samples-command.ts'
import { DIFFERENT, NOT_FINISHED, RIGHT } from './verify-command.ts'

const ANSWER_S = 10
/** Videos that are looked at in one statement, which locks those that it marks. */
const MARK_BATCH = 1000
/** It counts every film that waits. */
const ASK_EVERY_MS = 3_000
const PROGRESS_EVERY_MS = 10_000
/** Without a film that was signed meanwhile it is reported. */
const QUIET_MS = 60_000

/** `file` null: all films are signed. */
export type ProvenanceArgs = { file: string | null; url: string | null }

export function readProvenanceArgs(args: string[]): ProvenanceArgs {
  const { values, positionals } = readArguments('provenance', {
    args,
    allowPositionals: true,
    options: { url: { type: 'string' }, all: { type: 'boolean', default: false } },
  })
  const [what, file, ...rest] = positionals
  if (what === 'check' && file && rest.length === 0 && !values.all) return { file, url: values.url ?? null }
  if (what === 'sign' && !file && values.all && values.url === undefined) return { file: null, url: null }
  throw new UsageError(
    'kinora provenance check FILE [--url https://films.example.com], or kinora provenance sign --all',
  )
}

/** @returns the exit status: 0: the file is as it was signed; 1: it is not, or not signed; 2: unreadable */
export async function provenanceCheck(env: NodeJS.ProcessEnv, file: string, url: string | null): Promise<number> {
  let checked: ReturnType<typeof checkFile>
  try {
    checked = readAndCheck(file)
  } catch (error) {
    console.error(`The file cannot be read: ${(error as Error).message}`)
    return NOT_FINISHED
  }
  const { sha256, credentials } = checked
  for (const line of linesOf(credentials)) console.log(line)
  console.log(`SHA-256 – ${sha256}`)
  console.log(`made here – ${await (url === null ? askDatabase(env, sha256) : askService(url, sha256))}`)
  return credentials?.state === 'valid' ? RIGHT : DIFFERENT
}

/** With the manifest of the same name beside it. */
function readAndCheck(file: string): ReturnType<typeof checkFile> {
  const handle = openSync(file, 'r')
  try {
    const read = (position: number, lengthBytes: number) => {
      const bytes = new Uint8Array(lengthBytes)
      return bytes.subarray(0, readSync(handle, bytes, 0, lengthBytes, position))
    }
    const sidecar = path.join(path.dirname(file), manifestKeyOf(path.basename(file)))
    return checkFile({ sizeBytes: fstatSync(handle).size, read }, readIfThere(sidecar))
  } finally {
    closeSync(handle)
  }
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function linesOf(credentials: Credentials | null): string[] {
  if (!credentials) return ['content credentials – none: the file has none, or they were removed']
  const { state, problem, signer, isMadeByAi, madeBy, madeAt, ingredients } = credentials
  const states = {
    valid: 'valid: the file is as it was when it was signed',
    changed: `not valid: ${problem}`,
    unknown: `not checked: ${problem}`,
  }
  const lines = [`content credentials – ${states[state]}`]
  if (signer) {
    const { name, issuer, validTo } = signer
    const end = validTo < new Date() ? 'expired on' : 'valid until'
    lines.push(`signed by – ${name}, certificate of ${issuer}, ${end} ${validTo.toISOString().slice(0, 10)}`)
  }
  const facts = [
    isMadeByAi ? 'made by AI' : 'not that it is made by AI',
    ...(madeBy === null ? [] : [`by ${madeBy}`]),
    ...(madeAt === null ? [] : [`at ${madeAt}`]),
    ...(ingredients === 0
      ? []
      : [`from ${counted(ingredients, 'earlier film or picture', 'earlier films and pictures')}`]),
  ]
  return state === 'changed' && !signer ? lines : [...lines, `says – ${facts.join(', ')}`]
}

async function askDatabase(env: NodeJS.ProcessEnv, sha256: string): Promise<string> {
  let config: Config
  try {
    config = readConfig(env, accounts())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return 'not asked: set DATABASE_URL with the other settings of the service, or add --url'
  }
  try {
    const database = await openDatabase(config.databaseUrl, {
      connections: 1,
      name: 'kinora provenance',
      pooler: config.databasePooler,
      directUrl: config.databaseUrlDirect,
    })
    try {
      return sentenceOf(await findProvenance({ database, log: pino({ level: 'silent' }) }, sha256))
    } finally {
      await database.close()
    }
  } catch (error) {
    return `not known: the database cannot be asked (${(error as Error).message})`
  }
}

async function askService(url: string, sha256: string): Promise<string> {
  const address = URL.canParse(url) ? new URL('/api/v1/provenance/verify', url) : null
  if (!address || !/^https?:$/.test(address.protocol)) throw new UsageError(`kinora provenance: ${url} is no address.`)
  const client = openHttpClient(ANSWER_S)
  const headers = { 'content-type': 'application/json' }
  const result = await client.call('POST', address.href, { headers, body: JSON.stringify({ sha256 }) })
  await client.close()
  if (result.kind !== 'response') return `not known: ${address.origin} does not answer (${result.reason})`
  const data = at(result.body, 'data') as { known?: boolean; kind: string; model: string; madeAt: string } | undefined
  if (result.status !== 200 || typeof data?.known !== 'boolean') {
    return `not known: ${address.origin} answers ${result.status}`
  }
  return sentenceOf(data.known ? { ...data, madeAt: new Date(data.madeAt) } : null)
}

const sentenceOf = (found: { kind: string; model: string; madeAt: Date } | null): string =>
  found
    ? `yes: the ${found.kind} of ${found.model}, ready at ${found.madeAt.toISOString()}`
    : 'no: no file with this SHA-256 is known; one that was changed, or read before it was signed, is another'

/** @returns the exit status: 0 when no film waits any more */
export async function signAll(app: App, { print, interrupted }: Omit<Terminal, 'ask'>): Promise<number> {
  if (app.config.provenance.mode === 'off') {
    print('PROVENANCE=off: no film is signed. Set it to on, and start the service again.')
    return 1
  }
  for (const sql of app.database.allParts) {
    for (let after: Parameters<typeof videosMarkUnsigned>[1]['after'] = null; !interrupted.aborted; ) {
      const { last } = await videosMarkUnsigned(sql, { after, limit: MARK_BATCH, now: app.now() })
      app.crashPoint('provenance.marked')
      if (!last) break
      after = last
    }
  }
  return await watch(app, print, interrupted)
}

async function watch(app: App, print: Terminal['print'], interrupted: AbortSignal): Promise<number> {
  let { waiting: left, failed } = await unsignedFilms(app)
  const all = left
  if (all > 0) print(`${counted(all, 'film waits', 'films wait')} to be signed, by the workers of the service.`)
  let [printedMs, signedMs] = [Date.now(), Date.now()]
  while (left > 0 && !interrupted.aborted) {
    await sleep(ASK_EVERY_MS, undefined, { signal: interrupted }).catch(() => null)
    const now = await unsignedFilms(app)
    if (now.waiting !== left) signedMs = Date.now()
    left = now.waiting
    failed = now.failed
    if (Date.now() - printedMs < PROGRESS_EVERY_MS) continue
    printedMs = Date.now()
    const isQuiet = Date.now() - signedMs > QUIET_MS
    if (isQuiet && failed === left) break
    print(
      `${left} of ${all} wait.${isQuiet ? ' None was signed for a minute: is a worker running? Its log says why.' : ''}`,
    )
  }
  if (left === 0) print(all === 0 ? 'There is no film to sign.' : 'All films are signed.')
  else if (interrupted.aborted) print('Interrupted: the workers go on. Run the command again to see how far they are.')
  else print(`${counted(failed, 'film', 'films')} could not be signed, and the workers try again: their log says why.`)
  return left === 0 ? 0 : 1
}
