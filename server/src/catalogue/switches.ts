/**
 * What administrators have switched off: models, accounts at providers, and routes (server/sql/catalogue_switch.sql).
 * Each process polls the rows, a handful, and not LISTEN, which a transaction pooler drops. Invariant: what is off gets
 * no new video; a video that was accepted goes on.
 */
import type { App } from '../app.ts'
import type { Sql } from '../db/db.ts'
import { switchOff } from './catalogue.ts'
import { isTakenRead, readTaken } from './taken.ts'

/** A model, an account, or with both a route; `''`: all. */
export type Subject = { model: string; account: string }
export type SwitchedOff = Subject & { reason: string; actorId: string; createdAt: Date }

/** A switch works within a second in all processes. */
const POLL_MS = 900

let switchedOff: readonly SwitchedOff[] = []

/** The switch that keeps a model, an account or a route off, the most general one; null: it is on. */
export const switchOf = ({ model, account }: Subject): SwitchedOff | null =>
  switchedOff.find((each) => matches(each.model, model) && matches(each.account, account)) ?? null

/** A row for all models concerns each one; a row for one model does not concern all of an account. */
const matches = (ofRow: string, asked: string): boolean => ofRow === '' || ofRow === asked

export const isOn = (subject: Subject): boolean => switchOf(subject) === null

/** Reads the switches, and takes what has changed. */
export async function readSwitches({ sql }: Pick<App, 'sql'>): Promise<void> {
  const rows = await sql<SwitchedOff[]>`
    select model, account, reason, actor_id, created_at from kinora.catalogue_switch order by model = '' or account = '' desc, model, account
  `
  const isSame = JSON.stringify(rows) === JSON.stringify(switchedOff)
  if (isSame) return
  switchedOff = rows
  switchOff(rows.length === 0 ? null : isOn)
}

/**
 * Polls the switches, and the files that administrators wrote, until it is closed. The state of the last poll stays
 * while the database is away.
 */
export async function watchSwitches(app: App): Promise<{ close: () => void }> {
  let known = ''
  const read = async () => {
    const found = await signatureOf(app.sql)
    if (found === known && isTakenRead()) return
    await Promise.all([readSwitches(app), readTaken(app)])
    known = found
  }
  await read()
  let isFailing = false
  let isReading = false
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    read()
      .then(
        () => {
          isFailing = false
        },
        (err: unknown) => {
          if (!isFailing)
            app.log.warn({ err }, 'switches and drafts of the catalogue cannot be read; the last ones stay')
          isFailing = true
        },
      )
      .finally(() => {
        isReading = false
      })
  }, POLL_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

/** What a poll compares: one statement, because an idle process does little else. */
async function signatureOf(sql: Sql): Promise<string> {
  const [row] = await sql<[{ signature: string }]>`
    select concat(
      (select json_agg(s order by s.model, s.account) from kinora.catalogue_switch s),
      (select json_agg(json_build_array(t.file, t.version, t.created_at) order by t.file, t.version) from kinora.catalogue_taken t)
    ) as signature
  `
  return row.signature
}
