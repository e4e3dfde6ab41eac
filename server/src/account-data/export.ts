/**
 * Exports the data of a user, or of a team, as a ZIP: JSON of every row, and the files. Streamed one entry after
 * another with back pressure: the next page of rows and the next chunk of a file are read when the client has taken the
 * one before. Entries are stored without compression, because films and images are compressed already.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { makeZip } from 'client-zip'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import {
  assetPages,
  auditPages,
  type FileRow,
  folderPages,
  historyPages,
  mailPages,
  paymentEventPages,
  paymentPages,
  projectPages,
  publicationPages,
  readProfile,
  reportPages,
  rowsOf,
  takedownPages,
  type VideoRow,
  videoPages,
  webhookDeliveryPages,
  webhookPages,
} from './records.ts'

type Entry = { name: string; lastModified: Date; input: AsyncIterable<Uint8Array> }

/** JSON is collected up to this size before it is passed on. */
const CHUNK_BYTES = 64 * 1024

const LEASE_MS = 120_000
const RENEW_EVERY_MS = 20_000

type Lease = {
  /** Called for each chunk that is sent. @throws when the lease has passed on to another export */
  renew: () => Promise<void>
  release: () => Promise<void>
}

/**
 * The ZIP of an owner's data, or of what the browser tokens of a subject made. It errors, and the download breaks off,
 * when a file cannot be read to its end or `signal` aborts.
 * @throws AppError RATE_LIMITED while another export of the user is running
 */
export async function exportData(app: App, userId: string, subject: string | null = null): Promise<Readable> {
  const lease = await takeLease(app, userId)
  const abort = new AbortController()
  const zip = makeZip(entriesOf(app, { userId, subject }, abort.signal))
  const renewed = async function* () {
    for await (const chunk of zip) {
      await lease.renew()
      yield chunk
    }
    // Before the response ends: its client may ask for the next one at once, such as of another subject.
    await lease.release()
  }
  const stream = Readable.from(renewed(), { objectMode: false, highWaterMark: CHUNK_BYTES })
  stream.once('close', () => {
    // Closes the file that is being read: the ZIP library does not end an entry that it stops reading.
    abort.abort()
    lease
      .release()
      .catch((err: unknown) => app.log.warn({ err, userId }, 'the lease of an export could not be released'))
  })
  return stream
}

/**
 * Takes the lease of a user's export: one at a time over all API processes, renewed by its download as long as data
 * flows. A download that stalls, or whose process dies, loses it.
 * @throws AppError RATE_LIMITED while another export of the user is running
 */
async function takeLease({ sql, now }: App, userId: string): Promise<Lease> {
  const leaseId = randomUUID()
  const leaseUntil = () => new Date(now().getTime() + LEASE_MS)
  const taken = await sql`
    insert into kinora.account_export as e (user_id, lease_id, lease_until)
    values (${userId}, ${leaseId}, ${leaseUntil()})
    on conflict (user_id) do update set lease_id = excluded.lease_id, lease_until = excluded.lease_until
    where e.lease_until <= ${now()}
  `
  if (taken.count === 0) {
    const message = 'An export of your data is running already; wait for it to finish, or two minutes after it stopped.'
    throw new AppError('RATE_LIMITED', message, { retryAfterS: LEASE_MS / 1000 })
  }
  let renewedMs = now().getTime()
  return {
    renew: async () => {
      if (now().getTime() - renewedMs < RENEW_EVERY_MS) return
      const renewed = await sql`
        update kinora.account_export set lease_until = ${leaseUntil()} where user_id = ${userId} and lease_id = ${leaseId}
      `
      if (renewed.count === 0) throw new Error('the lease of this export has passed on')
      renewedMs = now().getTime()
    },
    release: async () => {
      await sql`delete from kinora.account_export where user_id = ${userId} and lease_id = ${leaseId}`
    },
  }
}

type Exported = { userId: string; subject: string | null }

async function* entriesOf(app: App, { userId, subject }: Exported, signal: AbortSignal): AsyncGenerator<Entry> {
  const lastModified = app.now()
  const entry = (name: string, input: AsyncIterable<Uint8Array>): Entry => ({ name, lastModified, input })
  const rows = (name: string, of: AsyncIterable<object>) => entry(`${name}.json`, jsonArray(of))
  const missing: string[] = []
  async function* file(name: string, key: string): AsyncGenerator<Entry> {
    const content = await app.storage.read(key, signal)
    if (content) yield entry(name, content)
    else missing.push(name)
  }

  async function* recordsOf(): AsyncGenerator<Entry> {
    yield entry('account.json', bytesOf(json(await readProfile(app, userId))))
    yield rows('history', rowsOf(historyPages(app, userId)))
    yield rows('payments', rowsOf(paymentPages(app, userId)))
    yield rows('payment-events', rowsOf(paymentEventPages(app, userId)))
    yield rows('webhooks', rowsOf(webhookPages(app, userId)))
    yield rows('webhook-deliveries', rowsOf(webhookDeliveryPages(app, userId)))
    yield rows('mails', rowsOf(mailPages(app, userId)))
    yield rows('audit', rowsOf(auditPages(app, userId)))
    yield rows('folders', rowsOf(folderPages(app, userId)))
    yield rows('projects', rowsOf(projectPages(app, userId)))
    yield rows('publications', rowsOf(publicationPages(app, userId)))
    yield rows('reports', rowsOf(reportPages(app, userId)))
    yield rows('takedowns', rowsOf(takedownPages(app, userId)))
  }

  if (subject === null) yield* recordsOf()
  yield rows('assets', mapped(rowsOf(assetPages(app, userId, subject)), describeAsset))
  yield rows('videos', mapped(rowsOf(videoPages(app, userId, subject)), describeVideo))
  for await (const { id, key } of rowsOf(assetPages(app, userId, subject))) yield* file(assetName(id, key), key)
  for await (const { id, videoKey, thumbnailKey, manifestKey } of rowsOf(videoPages(app, userId, subject))) {
    for (const key of [videoKey, thumbnailKey, manifestKey]) if (key !== null) yield* file(filmName(id, key), key)
  }
  if (missing.length > 0) yield entry('missing-files.json', bytesOf(json(missing)))
}

const extensionOf = (key: string): string => key.split('.').at(-1) ?? ''
const assetName = (id: string, key: string) => `assets/${id}.${extensionOf(key)}`
const filmName = (id: string, key: string) => `videos/${id}.${extensionOf(key)}`

const describeAsset = ({ key, ...row }: FileRow) => ({ ...row, file: assetName(row.id, key) })
const describeVideo = ({ videoKey, thumbnailKey, manifestKey, ...row }: VideoRow) => ({
  ...row,
  file: videoKey === null ? null : filmName(row.id, videoKey),
  thumbnail: thumbnailKey === null ? null : filmName(row.id, thumbnailKey),
  manifest: manifestKey === null ? null : filmName(row.id, manifestKey),
})

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function* mapped<T, U>(rows: AsyncIterable<T>, map: (row: T) => U): AsyncGenerator<U> {
  for await (const row of rows) yield map(row)
}

/** A JSON array, one row a line. */
async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let text = '['
  let separator = '\n'
  for await (const row of rows) {
    text += separator + JSON.stringify(row)
    separator = ',\n'
    if (text.length < CHUNK_BYTES) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}\n]\n`)
}
