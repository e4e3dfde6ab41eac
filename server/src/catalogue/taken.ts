/**
 * Files of the catalogue that administrators wrote in the browser, or took as drafts (server/sql/catalogue_taken.sql):
 * products, prompt templates and models, beside the release's files and below those of CATALOGUE_DIR, which is
 * read-only in most installations. Each process polls their names and versions with the switches. Invariant: a text is
 * in force while it passes the check of a file; one that a newer release refuses is left out, and its problems are
 * shown.
 */
import { ConfigError } from '../config/config.ts'
import { TAKEN, type TakenFile, takenFiles, useTaken } from '../config/package-dir.ts'
import type { Sql } from '../db/db.ts'
import { parsePlans, readPlans, replacePlans } from '../payment/plans.ts'
import { accounts } from '../provider/accounts.ts'
import { checkRoutes, modelText, parseModels, readModels, replaceCatalogue } from './catalogue.ts'
import { parseTemplates, readTemplates, replaceTemplates } from './templates.ts'

/** The rows read last. Without any the first poll leaves the files as they were read. */
let known = '[]'
let problems: string[] = []
/** Of texts that are not in force. */
export const problemsOfTaken = (): readonly string[] => problems

export const modelFileOf = (id: string): string => `models/${id}.json`

/** The check of `kinora catalogue check`, each expression tried. */
export async function problemsOfFile(file: string, text: string): Promise<string[]> {
  try {
    await check({ file, text })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** @throws ConfigError */
async function check({ file, text }: TakenFile): Promise<void> {
  if (file === 'plans.json') return void parsePlans(text, `${TAKEN}/${file}`)
  if (file === 'templates.json') return void parseTemplates(text, `${TAKEN}/${file}`)
  const model = modelText({ file, text })
  if (!model) throw new ConfigError([`${file} is none of plans.json, templates.json and models/<id>.json`])
  const every = Object.fromEntries(accounts().map((account) => [account.id, UNUSED]))
  await checkRoutes(parseModels([model]), { providers: every, creditUsd: null }, true)
}
const UNUSED = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }

export const isTakenRead = (): boolean => known !== ''

/** They are read and checked again by the next poll: the accounts have changed. */
export function forgetTaken(): void {
  known = ''
}

/**
 * Reads the texts in force, and takes them with the files when they have changed. A version that is removed and one
 * that is written after it may have the same number.
 */
export async function readTaken({ sql }: { sql: Sql }): Promise<void> {
  const rows = await sql<{ file: string; version: number; createdAt: Date }[]>`
    select distinct on (file) file, version, created_at from kinora.catalogue_taken order by file, version desc
  `
  const found = JSON.stringify(rows)
  if (found === known) return
  const texts = await sql<TakenFile[]>`
    select distinct on (file) file, entry as text from kinora.catalogue_taken order by file, version desc
  `
  const checked = await Promise.all(
    texts.map(async (each) => {
      // No row, however it came there, keeps a process from starting.
      const found = await problemsOfFile(each.file, each.text).catch((error: Error) => [error.message])
      return { each, found }
    }),
  )
  const before = takenFiles()
  const now = checked.flatMap(({ each, found }) => (found.length === 0 ? [each] : []))
  useTaken(now)
  known = found
  problems = checked.flatMap(({ each, found }) =>
    found.length === 0
      ? []
      : [`The change of ${each.file} is not in force; take it back in Configuration: ${found.join('; ')}`],
  )
  for (const { isOf, read } of KINDS) {
    const [former, current] = [before, now].map((files) => JSON.stringify(files.filter(({ file }) => isOf(file))))
    if (former !== current) readAgain(read)
  }
}

/** What is read again when an administrator has written one of its files. */
const KINDS: { isOf: (file: string) => boolean; read: () => void }[] = [
  { isOf: (file) => file === 'plans.json', read: () => replacePlans(readPlans()) },
  { isOf: (file) => file === 'templates.json', read: () => replaceTemplates(readTemplates()) },
  { isOf: (file) => file.startsWith('models/'), read: () => replaceCatalogue(readModels()) },
]

function readAgain(read: () => void): void {
  try {
    read()
  } catch (error) {
    // The files have got a mistake meanwhile, which reload.ts shows: what is in force stays until it is repaired.
    if (!(error instanceof ConfigError)) throw error
  }
}
