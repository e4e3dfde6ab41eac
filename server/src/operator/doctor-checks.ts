/**
 * Checks of `kinora doctor` and of the administrators' checklist (setup.ts) that need the database, the storage or the
 * network. Each changes nothing that lasts.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { whenGift } from '../account/gift-address.ts'
import { type Config, settingsPart } from '../config/config.ts'
import { packageUrl } from '../config/package-dir.ts'
import { processorNames, processorPart } from '../config/processors.ts'
import type { SmtpSettings } from '../config/setting-kinds.ts'
import { checkClock } from '../db/clock.ts'
import { openDb, SESSION_SETTINGS, type Sql } from '../db/db.ts'
import { readDatabaseSchema, readSource } from '../db/schema.ts'
import { hasSecondFactor } from '../db/set-calls.ts'
import { compose } from '../mail/compose.ts'
import { checkSmtp, openTransport } from '../mail/transport.ts'
import { openHttpClient } from '../net/http-client.ts'
import { openSafeFetch } from '../net/safe-fetch.ts'
import { openAccount } from '../payment/account-client.ts'
import { AccountError } from '../payment/account-reader.ts'
import { plans } from '../payment/plans.ts'
import { olderPrices, priceProblems, pricesPaid } from '../payment/prices.ts'
import { processors } from '../payment/processors.ts'
import { endsSoon, findSigner, openSigner, TRUST_LIST } from '../provenance/keys.ts'
import { timeStampOf } from '../provenance/time-stamp.ts'
import { openProviders } from '../provider/open.ts'
import { folderOf, openStorage, openStores } from '../storage/open.ts'
import { addressCheck, callbackCheck, certificateCheck } from './address-checks.ts'
import { openTarget } from './backup-target.ts'
import { type Finding, good } from './finding.ts'
import { checkAccount, shownUrl } from './providers-command.ts'

/** The administrator who asks in the browser; null: an operator at a terminal. */
export type Asking = { sql: Sql; email: string; language: string | null } | null
type Check = (config: Config, asking: Asking) => Promise<Finding[]>
export const SETUP_ITEMS = [
  'address',
  'mail',
  'storage',
  'provider',
  'processor',
  'certificate',
  'backup',
  'factor',
] as const
export type SetupItem = (typeof SETUP_ITEMS)[number]

/** What an item of the checklist asks, in the sequence of `kinora doctor`. */
export const checksOf: Record<SetupItem, Check[]> = {
  storage: [storageCheck],
  certificate: [certificateCheck, provenanceChecks],
  mail: [mailCheck, giftCheck],
  address: [callbackCheck, addressCheck],
  provider: [providerChecks, fetchChecks],
  processor: [paymentChecks],
  backup: [backupCheck],
  // Before an operator's terminal it is a check of the database's rows (databaseChecks).
  factor: [async (config, asking) => (asking ? factorCheck(config, asking.sql) : [])],
}

const RESOLVE_TIMEOUT_MS = 3_000
const READ_TIMEOUT_MS = 10_000
const PROBE = 'kinora doctor'
/** Files of the earlier store after which it is clear that they are not copied. */
const MISSING_MAX = 1000
const INSUFFICIENT_PRIVILEGE = '42501'
const GRANT =
  'grant the role of DATABASE_URL usage on the schemas kinora and public, and select, insert, update, delete on all their tables: ' +
  'docs/deployment.md#the-database'
/** A night was missed. */
const BACKUP_AGE_MAX_MS = 50 * 3600_000

/** Schema, rights and clock of a database that answers. */
export async function databaseChecks(config: Config): Promise<Finding[]> {
  const sql = openDb(config.databaseUrl, { connections: 1, name: 'kinora doctor', pooler: config.databasePooler })
  try {
    const source = await readSource(packageUrl)
    const database = await readDatabaseSchema(sql)
    if (!database) return [good('schema', `none yet: made at the first start, version ${source.version}`)]
    const limits = config.databasePooler === 'transaction' ? [await sessionSettingsCheck(sql)] : []
    return [
      schemaCheck(database, source.version),
      await rightsCheck(sql),
      ...limits,
      await clockCheck(sql),
      ...(await priceChecks(sql)),
      ...(database.version === source.version ? await factorCheck(config, sql) : []),
    ]
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === INSUFFICIENT_PRIVILEGE) return [{ what: 'rights', state: message, remedy: GRANT, isFault: true }]
    return [{ what: 'schema', state: `cannot be read: ${message}`, remedy: 'check DATABASE_URL', isFault: true }]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Prices that plans.json changed under paid ids, and subscriptions at an older price. */
async function priceChecks(sql: Sql): Promise<Finding[]> {
  const changed = priceProblems(plans(), await pricesPaid(sql))
  return [
    ...changed.map((remedy) => ({ what: 'prices', state: 'changed after they were paid', remedy, isFault: false })),
    ...(await olderPrices(sql)).map((sentence) => good('prices', sentence)),
  ]
}

/** The administrators without a second factor, whom ADMIN_SECOND_FACTOR=required leaves without rights. */
async function factorCheck({ signIn }: Config, sql: Sql): Promise<Finding[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email from public."user" u
    where 'admin' = any(string_to_array(u.role, ',')) and not ${hasSecondFactor(sql)}
    order by u.email
  `
  const what = 'administrators'
  if (rows.length === 0) return [good(what, 'all have a second factor')]
  const state = `without a second factor: ${rows.map(({ email }) => email).join(', ')}`
  const remedy = signIn.needsAdminFactor
    ? 'they sign in and set one up in Account; until then they have the rights of a user'
    : 'they set one up in Account; ADMIN_SECOND_FACTOR=required gives who has none the rights of a user'
  return [{ what, state, remedy, isFault: false }]
}

/** Stores a file, reads it and removes it. */
async function storageCheck(config: Config): Promise<Finding[]> {
  // Another check reports a data folder that is not there yet.
  if (config.storage === 'folder' && !existsSync(config.dataDir)) return []
  const where = nameOf(config, config.storage)
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-doctor-'))
  try {
    const storage = await openStorage(config)
    const key = `doctor/${randomUUID()}.txt`
    const file = path.join(folder, 'probe')
    await writeFile(file, PROBE)
    try {
      await storage.put(key, file, 'text/plain')
      const chunks: Uint8Array[] = []
      for await (const chunk of (await storage.read(key, AbortSignal.timeout(READ_TIMEOUT_MS))) ?? [])
        chunks.push(chunk)
      if (Buffer.concat(chunks).toString() !== PROBE) throw new Error('what was read is not what was stored')
    } finally {
      await storage.remove(key).catch(() => undefined)
      await storage.close()
    }
    return [good('storage', `${where}, stored, read and removed a file`), ...(await otherStoreCheck(config))]
  } catch (error) {
    const remedy =
      config.storage === 's3'
        ? 'check S3_BUCKET, S3_ENDPOINT and the keys'
        : 'give the folder to the user who runs Kinora'
    return [{ what: 'storage', state: `${where} fails: ${(error as Error).message}`, remedy, isFault: true }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Who signs films and until when, and whether the time stamp authority answers. Makes no certificate. */
export async function provenanceChecks(config: Config): Promise<Finding[]> {
  const now = new Date()
  const { mode, tsa } = config.provenance
  const what = 'content credentials'
  if (mode === 'off') {
    const remedy = 'set PROVENANCE=on where a law asks that films say so: docs/provenance.md'
    return [{ what, state: 'off: films do not say that they are made by AI', remedy, isFault: false }]
  }
  return [await signerCheck(config, what, now), ...(tsa === null ? [] : [await timeStampCheck(tsa, mode)])]
}

async function signerCheck(config: Config, what: string, now: Date): Promise<Finding> {
  try {
    const signer = await findSigner(config)
    if (!signer) {
      const state = 'the first start makes a certificate, which programs of strangers do not trust'
      return { what, state, remedy: `for one that they trust, ${TRUST_LIST}`, isFault: false }
    }
    const state = `signed by ${signer.name}, until ${signer.validTo.toISOString().slice(0, 10)}`
    if (signer.isOwn) {
      const remedy = `for one that they trust, ${TRUST_LIST}`
      return { what, state: `${state}, whom programs of strangers do not trust`, remedy, isFault: false }
    }
    await openSigner(config, now)
    const remedy = endsSoon(signer, now)
      ? 'get the next certificate, and set PROVENANCE_CERTIFICATE and PROVENANCE_KEY'
      : ''
    return { what, state, remedy, isFault: false }
  } catch (error) {
    const remedy =
      'set PROVENANCE_CERTIFICATE and PROVENANCE_KEY; films are stored unsigned, or wait with PROVENANCE=required'
    return { what, state: (error as Error).message.replace(/\.$/, ''), remedy, isFault: true }
  }
}

async function timeStampCheck(url: string, mode: Config['provenance']['mode']): Promise<Finding> {
  const what = 'time stamps'
  const { origin } = new URL(url)
  try {
    await timeStampOf(url)(Buffer.from(PROBE))
    return good(what, `${origin} gives them`)
  } catch (error) {
    const consequence = mode === 'required' ? 'films wait for it' : 'films are signed without'
    const state = `${origin} gives none: ${(error as Error).message.replace(/\.$/, '')}`
    return { what, state, remedy: `check PROVENANCE_TSA and the network; ${consequence}`, isFault: mode === 'required' }
  }
}

const nameOf = (config: Config, store: Config['storage']): string =>
  store === 's3' ? `bucket ${config.s3?.bucket}` : folderOf(config)

/** What lies in the store that new films do not go to. */
async function otherStoreCheck(config: Config): Promise<Finding[]> {
  const { inForce, other } = await openStores(config)
  try {
    let [files, missing] = [0, 0]
    for await (const { key, sizeBytes } of other?.list() ?? []) {
      files += 1
      if (missing < MISSING_MAX && (await inForce.size(key)) !== sizeBytes) missing += 1
    }
    if (files === 0) return []
    const where = nameOf(config, config.storage === 's3' ? 'folder' : 's3')
    const copy = `kinora files copy --to ${config.storage}`
    const what = 'earlier files'
    if (missing === 0) {
      const state = `${files} in ${where}, all of them in ${nameOf(config, config.storage)} too`
      return [{ what, state, remedy: `remove them there with ${copy} --remove`, isFault: false }]
    }
    const count = missing < MISSING_MAX ? `${missing}` : `${MISSING_MAX} or more`
    const state = `${files} in ${where}, ${count} of them only there`
    return [{ what, state, remedy: `run ${copy}; they are read from there until then`, isFault: false }]
  } finally {
    await Promise.all([inForce.close(), other?.close()])
  }
}

/** When new users have the gift, which SMTP_URL changes. */
async function giftCheck(config: Config): Promise<Finding[]> {
  const when = whenGift(config)
  return when ? [{ what: 'gift', ...when, isFault: false }] : []
}

/** Connects to the mail server and signs in; sends nothing but a mail to the administrator who asks. */
async function mailCheck(config: Config, asking: Asking): Promise<Finding[]> {
  const { smtp } = config.mail
  if (!smtp) {
    const remedy = 'set SMTP_URL and MAIL_FROM, so that users can reset a forgotten password by themselves'
    return [{ what: 'mail', state: 'not set up', remedy, isFault: false }]
  }
  const where = `${smtp.host}:${smtp.port}`
  try {
    if (asking)
      return [good('mail', `${where} took a mail to ${asking.email}: ${await sendTest(config, smtp, asking)}`)]
    await checkSmtp(config, smtp)
    return [good('mail', `${where} accepts mail`)]
  } catch (error) {
    // The server's response, which may repeat the user name and never the password.
    const remedy = 'check SMTP_URL, and that the server allows this machine'
    return [{ what: 'mail', state: `${where} does not accept: ${(error as Error).message}`, remedy, isFault: false }]
  }
}

/** @returns the server's response @throws Error with it, when it does not take the mail */
async function sendTest(config: Config, smtp: SmtpSettings, { email, language }: NonNullable<Asking>): Promise<string> {
  const transport = await openTransport(config, smtp)
  try {
    const mail = compose({ config }, { kind: 'setup.test', userId: null, data: {}, language }, '')
    const outcome = await transport.send({ ...mail, id: randomUUID(), to: email, createdAt: new Date() })
    if (outcome.kind !== 'accepted') throw new Error(outcome.response)
    return outcome.response
  } finally {
    transport.close()
  }
}

/** The keys of the accounts, where the provider has a free call for it; else whether the address answers. */
async function providerChecks(config: Config): Promise<Finding[]> {
  const providers = openProviders(config.providers)
  const findings = await Promise.all(
    providers.ids.map(async (id): Promise<Finding[]> => {
      const provider = await providers.open(id)
      if (!provider) return []
      const { state, isKeyRefused, isReachable } = await checkAccount(provider)
      const what = `provider ${id}`
      if (isKeyRefused) return [{ what, state, remedy: `set PROVIDER_${settingsPart(id)}_API_KEY`, isFault: true }]
      const isPolled = provider.readCallback !== undefined && !provider.takesCallback(config.callbackUrl)
      const remedy = isReachable
        ? isPolled
          ? 'takes callbacks over https alone, so its films are polled; set PUBLIC_URL or AI_CALLBACK_URL to an https address'
          : ''
        : `check PROVIDER_${settingsPart(id)}_URL, ${shownUrl(provider.url)} now, and the network`
      return [{ what, state, remedy, isFault: false }]
    }),
  )
  await providers.close()
  return findings.flat()
}

/**
 * Whether films can be fetched from a provider that is set up with an address of its own: results of a private one, as
 * of a machine beside this one, need FETCH_ALLOW.
 */
export async function fetchChecks({ providers, fetchAllow }: Config): Promise<Finding[]> {
  const fetch = openSafeFetch({ allow: fetchAllow })
  const findings = await Promise.all(
    Object.entries(providers).map(async ([id, { url }]): Promise<Finding[]> => {
      if (url === null) return []
      try {
        await fetch.checkHost(url, RESOLVE_TIMEOUT_MS)
        return []
      } catch (error) {
        const { hostname, port, protocol } = new URL(url)
        const remedy = `add ${hostname}:${port || (protocol === 'https:' ? 443 : 80)} to FETCH_ALLOW, when its films are there`
        return [
          {
            what: `films of ${id}`,
            state: `cannot be fetched from its address: ${(error as Error).message}`,
            remedy,
            isFault: false,
          },
        ]
      }
    }),
  )
  await fetch.close()
  return findings.flat()
}

/** Reads one entry of a list of each payment processor. */
export async function paymentChecks(config: Config): Promise<Finding[]> {
  const findings = await Promise.all(
    processorNames.map(async (processor): Promise<Finding[]> => {
      const account = openAccount({ config }, processor, READ_TIMEOUT_MS / 1000)
      if (!account) return []
      const name = `PAYMENT_${processorPart(processor)}`
      try {
        await account.read(processors[processor].paths.probe)
        return [good(processor, 'takes the key')]
      } catch (error) {
        if (!(error instanceof AccountError)) throw error
        const isRefused = error.status === 401 || error.status === 403
        const remedy = isRefused ? `set ${name}_API_KEY` : `check ${name}_URL and the network`
        return [{ what: processor, state: error.message.replace(/\.$/, ''), remedy, isFault: isRefused }]
      } finally {
        await account.close()
      }
    }),
  )
  if (findings.flat().length > 0) return findings.flat()
  const remedy = 'to sell credits, set PAYMENT_A_API_KEY or PAYMENT_B_API_KEY, and the secret of its webhook'
  return [{ what: 'payments', state: 'no processor is set up', remedy, isFault: false }]
}

/** The newest backup at BACKUP_TO; without the setting the operator names the target elsewhere. */
export async function backupCheck(config: Config): Promise<Finding[]> {
  const { target } = config.backup
  if (target === null) {
    const remedy = 'set BACKUP_TO, and run kinora backup every night: docs/backup.md'
    return [{ what: 'backup', state: 'not known here', remedy, isFault: false }]
  }
  try {
    const { list, close } = await openTarget(config, target)
    const found = await list().finally(close)
    const newest = found.at(-1)?.madeAt
    if (newest && Date.now() - newest.getTime() < BACKUP_AGE_MAX_MS) {
      return [good('backup', `${found.length} at ${target}, the newest of ${newest.toISOString()}`)]
    }
    const state = newest ? `the newest at ${target} is of ${newest.toISOString()}` : `none at ${target}`
    return [{ what: 'backup', state, remedy: 'run kinora backup every night: docs/backup.md', isFault: false }]
  } catch (error) {
    const remedy = 'check BACKUP_TO and BACKUP_S3_…'
    return [{ what: 'backup', state: `${target} fails: ${(error as Error).message}`, remedy, isFault: false }]
  }
}

/** Sends no span to the collector of traces. */
export async function tracesCheck({ tracing }: Config): Promise<Finding[]> {
  if (!tracing) return []
  const client = openHttpClient(READ_TIMEOUT_MS / 1000)
  const { origin } = new URL(tracing.url)
  const result = await client.call('POST', tracing.url, { headers: tracing.headers, body: '{"resourceSpans":[]}' })
  await client.close()
  if (result.kind === 'response' && result.status < 300) return [good('traces', `${origin} takes them`)]
  const state = result.kind === 'response' ? `${origin} responds ${result.status}` : `${origin}: ${result.reason}`
  const remedy =
    'check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS; it takes OTLP over HTTP, usually at port 4318'
  return [{ what: 'traces', state, remedy, isFault: false }]
}

function schemaCheck({ version, minimum }: { version: number; minimum: number }, own: number): Finding {
  const state = `version ${version}, this release has ${own}`
  if (own < minimum) return { what: 'schema', state, remedy: 'start the newer release', isFault: true }
  if (own > version) return { what: 'schema', state, remedy: 'see kinora upgrade --check', isFault: false }
  return good('schema', state)
}

async function rightsCheck(sql: Sql): Promise<Finding> {
  const missing = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name
    from pg_tables
    where schemaname in ('kinora', 'public') and tablename not in ('migration', 'schema_version')
      -- One privilege that is held would do, of several in one call.
      and exists (
        select
        from unnest(array['select', 'insert', 'update', 'delete']) privilege
        where not has_table_privilege(format('%I.%I', schemaname, tablename), privilege)
      )
    order by 1
  `
  if (missing.length === 0) return good('rights', 'rows of every table')
  const names = missing.map(({ name }) => name).join(', ')
  return { what: 'rights', state: `not those of ${names}`, remedy: GRANT, isFault: true }
}

/** Checks, behind a pooler in transaction mode, that the session which it gave has the settings of the role. */
async function sessionSettingsCheck(sql: Sql): Promise<Finding> {
  const names = Object.keys(SESSION_SETTINGS)
  const found = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any(${names}) order by name
  `
  const missing = found.filter(
    ({ name, setting }) => `${SESSION_SETTINGS[name as keyof typeof SESSION_SETTINGS]}` !== setting,
  )
  if (missing.length === 0) return good('settings of sessions', 'the role has them')
  return {
    what: 'settings of sessions',
    state: `${missing.map(({ name, setting }) => `${name} is ${setting}`).join(', ')} in a session of the pooler`,
    remedy: 'run kinora migrate, then have the pooler open its sessions again (RECONNECT in the console of pgbouncer)',
    isFault: false,
  }
}

async function clockCheck(sql: Sql): Promise<Finding> {
  try {
    await checkClock({ sql, now: () => new Date() })
    return good('clock', 'as that of the database')
  } catch (error) {
    return { what: 'clock', state: (error as Error).message, remedy: 'start an NTP client', isFault: true }
  }
}
