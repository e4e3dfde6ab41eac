/**
 * The drafts that administrators took (server/sql/catalogue_taken.sql): models beside the release's files, below those
 * of CATALOGUE_DIR, which is read-only in most installations. Each process polls their ids and versions with the
 * switches. Invariant: a draft is in force while it passes the check of a file; one that a newer release refuses is
 * left out, and its problems are shown.
 */
import { ConfigError } from '../config/config.ts'
import type { Sql } from '../db/db.ts'
import { accounts } from '../provider/accounts.ts'
import { checkRoutes, type ModelText, parseModels, readModels, replaceCatalogue, useTaken } from './catalogue.ts'

/** The rows read last. Without drafts the first poll leaves the files as they were read. */
let known = '[]'
let problems: string[] = []
/** Of drafts that are not in force. */
export const problemsOfTaken = (): readonly string[] => problems

/** The check of `kinora catalogue check`, each expression tried. @param text of a model's file */
export async function problemsOfDraft(id: string, text: string): Promise<string[]> {
  try {
    const every = Object.fromEntries(accounts().map((account) => [account.id, UNUSED]))
    await checkRoutes(parseModels([fileOf({ id, entry: text })]), { providers: every, creditUsd: null }, true)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const UNUSED = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }

const fileOf = ({ id, entry }: { id: string; entry: string }): ModelText => ({
  ...{ folder: 'drafts', name: `${id}.json`, text: entry, of: 'taken' },
})

export const isTakenRead = (): boolean => known !== ''

/** They are read and checked again by the next poll: the accounts have changed. */
export function forgetTaken(): void {
  known = ''
}

/**
 * Reads the drafts in force, and takes them with the files when they have changed. A draft that is removed and one that
 * is taken after it may have the same version.
 */
export async function readTaken({ sql }: { sql: Sql }): Promise<void> {
  const rows = await sql<{ id: string; version: number; createdAt: Date }[]>`
    select distinct on (id) id, version, created_at from kinora.catalogue_taken order by id, version desc
  `
  const found = JSON.stringify(rows)
  if (found === known) return
  const texts = await sql<{ id: string; entry: string }[]>`
    select distinct on (id) id, entry from kinora.catalogue_taken order by id, version desc
  `
  const checked = await Promise.all(
    texts.map(async (each) => {
      // No row, however it came there, keeps a process from starting.
      const found = await problemsOfDraft(each.id, each.entry).catch((error: Error) => [error.message])
      return { each, found }
    }),
  )
  useTaken(checked.flatMap(({ each, found }) => (found.length === 0 ? [fileOf(each)] : [])))
  known = found
  problems = checked.flatMap((each) =>
    each.found.length === 0
      ? []
      : [`The draft of ${each.each.id} is not in force; remove it on Models: ${each.found.join('; ')}`],
  )
  try {
    replaceCatalogue(readModels())
  } catch (error) {
    // The files have got a mistake meanwhile, which reload.ts shows: what is in force stays until it is repaired.
    if (!(error instanceof ConfigError)) throw error
  }
}
