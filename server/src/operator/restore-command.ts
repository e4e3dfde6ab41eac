/**
 * `kinora restore FILE`: a backup, also one at s3://, into an empty database, then the whole check of the books and of
 * the films.
 *   --latest           FILE is a folder or s3://bucket/prefix: the newest backup there
 *   --no-hashes        compares the sizes of films only, without reading them
 * Exit status: 0 restored and right, 1 restored with differences, 2 not restored or not checked to the end.
 */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import type { Config } from '../config/config.ts'
import { restoreDatabase } from '../db/database.ts'
import { openDb } from '../db/db.ts'
import { type BackupFile, RestoreError } from '../db/restore.ts'
import { readArguments } from '../process/command-arguments.ts'
import { findSigner, restoreOwnFiles } from '../provenance/keys.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { counted } from '../text/counted.ts'
import { hashFile } from './backup-command.ts'
import { openTarget, TargetError } from './backup-target.ts'
import { DIFFERENT, NOT_FINISHED, RIGHT, verifyCommand } from './verify-command.ts'

/** Files that are read at the same time. */
const CONCURRENCY = 4
/** The most listed files that are checked; more are left to `verify --files`: memory is limited. */
const FILES_MAX = 1_000_000

/** @returns the exit status */
export async function restoreCommand(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = readArgs(args)
  const [file, ...rest] = positionals
  if (!file || rest.length > 0) {
    console.error('Name one file: kinora restore /var/backups/kinora/kinora-2026-01-31T02-30-00Z.backup')
    return NOT_FINISHED
  }
  const files: BackupFile[] = []
  let signingKey: Record<string, string> | null = null
  try {
    const on = {
      file: (each: BackupFile) => void (files.length < FILES_MAX && files.push(each)),
      key: (own: Record<string, string>) => {
        signingKey = own
      },
    }
    const warn = (message: string) => console.error(message)
    const { header, end } = await restoreDatabase(
      config.databaseUrlDirect,
      linesOf(await contentOf(config, file, values.latest)),
      on,
      warn,
    )
    console.log(
      `Restored from ${header.createdAt}: ${counted(end.tables, 'table')}, ${counted(end.rows, 'row')}. Checking them …`,
    )
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    console.error(problem)
    return NOT_FINISHED
  }
  const aboutKey = await restoreSigningKey(config, signingKey)
  if (aboutKey !== null) console.log(aboutKey)
  const books = await verifyCommand(config, ['--files'], new AbortController().signal)
  if (values['no-hashes']) return books
  const storage = await openStorage(config)
  try {
    const { changed, missing } = await checkHashes(storage, files)
    if (changed > 0) console.log(`${counted(changed, 'file differs', 'files differ')} from the backup.`)
    if (missing > 0)
      console.log(
        `${counted(missing, 'file of the backup is', 'files of the backup are')} missing: restore what is missing from a backup of the storage.`,
      )
    if (changed + missing === 0) console.log('The files are those of the backup.')
    return books === RIGHT && changed + missing > 0 ? DIFFERENT : books
  } finally {
    await storage.close()
  }
}

/** @returns the sentence that says with which key films are signed from now on; null where none was signed */
async function restoreSigningKey(config: Config, own: Record<string, string> | null): Promise<string | null> {
  const { dataDir, provenance } = config
  if (provenance.key !== null) return 'Films are signed with PROVENANCE_KEY, as before if it is the same.'
  if (own && (await restoreOwnFiles(dataDir, own))) return `The key that signs films is in ${dataDir} again.`
  if (await findSigner({ dataDir, provenance })) {
    return `Films are signed with the key that is in ${dataDir}${own ? '; that of the backup was not taken' : ''}.`
  }
  if (!(await hasSignedFilms(config))) return null
  return (
    `The key that signs films is not in this backup. Copy the folder provenance of the former DATA_DIR into ${dataDir} before a worker starts: ` +
    'without it that makes another root. Films that were signed stay valid, and who trusts the former root has to add the new one.'
  )
}

async function hasSignedFilms({ databaseUrlDirect }: Config): Promise<boolean> {
  const sql = openDb(databaseUrlDirect, { connections: 1, name: 'kinora restore' })
  try {
    return (await sql`select from kinora.video_provenance where signer is not null limit 1`).length > 0
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Prints the files whose content is another one than at the backup, and counts them and the missing ones. */
async function checkHashes(storage: Storage, files: BackupFile[]): Promise<{ changed: number; missing: number }> {
  const hashed = files.filter(({ sha256 }) => sha256 !== null)
  let [changed, missing] = [0, 0]
  await forEachConcurrently(hashed, CONCURRENCY, async ({ key, sha256 }) => {
    const found = await hashFile(storage, key)
    if (found.sha256 === sha256) return
    if (found.sha256 === null) {
      missing += 1
      return
    }
    changed += 1
    console.log(`${key} is another file than at the backup: SHA-256 ${sha256}, found ${found.sha256}`)
  })
  return { changed, missing }
}

/** One sentence for what an operator can repair; null for a bug. */
function problemOf(error: unknown): string | null {
  const damaged = 'This file is not a backup of Kinora, or it is damaged. No row was restored.'
  if (error instanceof RestoreError || error instanceof TargetError) return error.message
  // The header and the list of files are JSON.
  if (error instanceof SyntaxError) return damaged
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EACCES':
      return `The file cannot be read: ${(error as Error).message}`
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return damaged
    default:
      return null
  }
}

/** @throws TargetError without a backup there, or without --latest for a folder */
async function contentOf(config: Config, address: string, isLatest: boolean): Promise<Readable> {
  const target = await openTarget(config, address)
  const name = target.file ?? (isLatest ? (await target.list()).at(-1)?.name : undefined)
  if (name === undefined) {
    throw new TargetError(
      isLatest
        ? `There is no backup in ${address}.`
        : `${address} is no file: name one backup, or add --latest for the newest one of a folder.`,
    )
  }
  console.log(`Restoring ${target.pathOf(name)} …`)
  return Readable.from(await target.read(name), { objectMode: false }).once('close', target.close)
}

/** The lines of the backup, without their line breaks. Bytes and not text: a row is passed on as it is. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  const text = input.pipe(createGunzip())
  input.on('error', (error) => text.destroy(error))
  let rest: Buffer[] = []
  for await (const chunk of text as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = chunk.subarray(from, at)
      yield rest.length > 0 ? Buffer.concat([...rest, line]) : line
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}

function readArgs(args: string[]) {
  return readArguments('restore', {
    args,
    allowPositionals: true,
    options: { 'no-hashes': { type: 'boolean', default: false }, latest: { type: 'boolean', default: false } },
  })
}
