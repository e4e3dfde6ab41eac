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

let [known, problems]: [string, string[]] = ['', []]
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

/** Reads the drafts in force, and takes them with the files when they have changed. */
export async function readTaken({ sql }: { sql: Sql }): Promise<void> {
  const rows = await sql<{ id: string; version: number }[]>`
    select id, max(version) as version from kinora.catalogue_taken group by id order by id
  `
  const found = JSON.stringify(rows)
  if (found === known) return
  const texts = await sql<{ id: string; entry: string }[]>`
    select distinct on (id) id, entry from kinora.catalogue_taken order by id, version desc
  `
  const checked = await Promise.all(
    texts.map(async (each) => ({ each, found: await problemsOfDraft(each.id, each.entry) })),
  )
  useTaken(checked.flatMap(({ each, found }) => (found.length === 0 ? [fileOf(each)] : [])))
  // The files may have got a mistake meanwhile, which reload.ts shows: what is in force stays.
  replaceCatalogue(readModels())
  ;[known, problems] = [found, checked.flatMap((each) => each.found)]
}
