/**
 * The version of the schema (migrations and SQL functions together), which only grows, and whether this process and the
 * database fit together. server/sql/schema.json has the version of this code, kinora.schema_version that of the
 * database.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import manifest from '../../package.json' with { type: 'json' }
import { lazy } from '../async/lazy.ts'
import { packageUrl } from '../config/package-dir.ts'
import { SchemaTooNewError } from '../errors.ts'
import type { Query } from './db.ts'

/** `minimum`: the oldest version whose processes work with this schema; a release raises it to the one before. */
export type SchemaVersion = { version: number; minimum: number; hash: string }
export type SqlFile = { name: string; text: string; hash: string }
/** What a release brings: its version, its migrations, and the files of its functions in order of dependency. */
export type SchemaSource = SchemaVersion & { migrations: SqlFile[]; functions: SqlFile[] }

/** Short against the ten minutes for which replaced functions are kept. */
const WATCH_EVERY_MS = 5_000
/** The files of server/sql in order of dependency. */
export const FUNCTION_FILES: readonly string[] = [
  'ids.sql',
  'clock.sql',
  'idempotency.sql',
  'audit.sql',
  'film_shape.sql',
  'video_view.sql',
  'mail.sql',
  'webhook.sql',
  'webhook_send.sql',
  'webhook_endpoint.sql',
  'credit_notice.sql',
  'two_phase.sql',
  'count.sql',
  'video_filter.sql',
  'search.sql',
  'credit_history.sql',
  'credit_owed.sql',
  'credit_worth.sql',
  'credit_refund_claim.sql',
  'api_key.sql',
  'credit.sql',
  'credit_release.sql',
  'credit_settle.sql',
  'credit_gift.sql',
  'credit_grant.sql',
  'credit_redeem.sql',
  'credit_correct.sql',
  'top_up.sql',
  'asset.sql',
  'video_row.sql',
  'video_claim.sql',
  'work_due.sql',
  'provider_slot.sql',
  'catalogue_switch.sql',
  'catalogue_taken.sql',
  'invitation.sql',
  'redemption_code.sql',
  'explore.sql',
  'takedown.sql',
  'incident.sql',
  'route_health.sql',
  'video_film.sql',
  'video_waiting.sql',
  'video_generate.sql',
  'video_steps.sql',
  'video_apply.sql',
  'video_library.sql',
  'project.sql',
  'cut.sql',
  'film_sum.sql',
  'account_rows.sql',
  'subject.sql',
  'team.sql',
  'authority.sql',
  'credit_transfer.sql',
  'account.sql',
  'payment_settle.sql',
  'payment_event.sql',
  'payment_refund.sql',
  'subscription.sql',
  'payment.sql',
  'verify_account.sql',
  'verify_package.sql',
  'verify_video.sql',
  'verify_count.sql',
  'verify_sum.sql',
  'verify_audit.sql',
  'verify_payment.sql',
  'verify_run.sql',
  'payment_reconcile.sql',
  'verify.sql',
]

/**
 * The migrations, functions and declared version of this process. `functions` are in the order in which they are
 * created.
 * @param dir the folder of the package `server`
 * @throws Error when a file of server/sql is not in FUNCTION_FILES
 */
export async function readSource(dir: URL): Promise<SchemaSource> {
  const [migrations, functions, declared] = await Promise.all([
    readSqlFiles(new URL('migrations/', dir)),
    readSqlFiles(new URL('sql/', dir), withPlannerOptions),
    readFile(new URL('sql/schema.json', dir), 'utf8'),
  ])
  const ordered = functions.toSorted((a, b) => FUNCTION_FILES.indexOf(a.name) - FUNCTION_FILES.indexOf(b.name))
  const unlisted = functions.find(({ name }) => !FUNCTION_FILES.includes(name))
  if (unlisted) throw new Error(`sql/${unlisted.name} has no place in FUNCTION_FILES`)
  const { version, minimum } = JSON.parse(declared) as SchemaVersion
  const hash = sha256([...migrations, ...ordered].map((file) => `${file.name} ${file.hash}`).join('\n'))
  return { version, minimum, hash, migrations, functions: ordered }
}

/** The options of the planner for a function that takes a set: server/sql/credit.sql has the reasons. */
export const withPlannerOptions = (text: string): string =>
  text.replace(/^-- set-based$/gm, 'set plan_cache_mode = force_generic_plan\nset enable_seqscan = off')

/** The version of the database, or null before its first migration. */
export async function readDatabaseSchema(sql: Query): Promise<SchemaVersion | null> {
  const [{ exists } = { exists: false }] = await sql<{ exists: boolean }[]>`
    select to_regclass('kinora.schema_version') is not null as exists
  `
  if (!exists) return null
  const [row] = await sql<SchemaVersion[]>`
    select version, minimum, hash from kinora.schema_version order by version desc limit 1
  `
  return row ?? null
}

/** @throws SchemaTooNewError when the database no longer accepts processes of this version */
export function assertAccepted(own: Pick<SchemaVersion, 'version'>, database: SchemaVersion | null): void {
  if (database === null || own.version >= database.minimum) return
  throw new SchemaTooNewError(
    `This process, kinora ${manifest.version} with schema version ${own.version}, is too old for the database: its schema has ` +
      `version ${database.version} and accepts processes from version ${database.minimum} on. Start the newer release.`,
  )
}

/**
 * Checks that the database has at least the schema that this code needs. Used by `/readyz`.
 * @throws SchemaTooNewError, or Error with the remedy when migrations are missing
 */
export async function assertSchema(sql: Query): Promise<void> {
  const [{ version }, database] = await Promise.all([ownSource(), readDatabaseSchema(sql)])
  assertAccepted({ version }, database)
  if ((database?.version ?? 0) < version) {
    throw new Error(
      `the schema has version ${database?.version ?? 0}, this process needs ${version}: run \`kinora migrate\``,
    )
  }
}
const ownSource = lazy(() => readSource(packageUrl))

/**
 * Checks every few seconds whether the database still accepts processes of this version.
 * @returns `tooNew` resolves to the error when it no longer does
 */
export function watchSchema(sql: Query): { tooNew: Promise<SchemaTooNewError>; close: () => void } {
  const { promise, resolve } = Promise.withResolvers<SchemaTooNewError>()
  const timer = setInterval(() => {
    assertSchema(sql).catch((error: unknown) => {
      // Any other error is the database's, and /readyz reports it.
      if (error instanceof SchemaTooNewError) resolve(error)
    })
  }, WATCH_EVERY_MS)
  return { tooNew: promise, close: () => clearInterval(timer) }
}

async function readSqlFiles(dir: URL, prepare = (text: string) => text): Promise<SqlFile[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = prepare(await readFile(new URL(name, dir), 'utf8'))
      return { name, text, hash: sha256(text) }
    }),
  )
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
