/**
 * Sends the outbox: claims messages that are due, each under a lease, and records the server's response. No transaction
 * is open while it sends. A message whose acceptance is recorded is never sent again. A crash between the acceptance
 * and its record repeats the message with the same Message-ID. While the SMTP server is away, one message at a time
 * tries it, with backoff.
 */

import type { App } from '../app.ts'
import { doublingPauseS, later, nextAttempt } from '../async/backoff.ts'
import { call } from '../db/call.ts'
import { claimInParts } from '../db/claim.ts'
import type { Sql } from '../db/db.ts'
import { type Dispatcher, dispatchLoop, dispatchOnce, type Signals } from '../process/dispatch-loop.ts'
import { compose, type MailRow } from './compose.ts'
import { accountKinds } from './kinds.ts'
import { linkOf } from './outbox.ts'
import { CONNECTIONS, openTransport, type SendOutcome, type Transport } from './transport.ts'

const LEASE_MS = 180_000
/** Sixteen attempts within the three days after which a notice is out of date. */
const RETRIES_S = [
  30,
  60,
  300,
  600,
  1200,
  ...Array.from({ length: 4 }, () => 3600),
  ...Array.from({ length: 6 }, () => 6 * 3600),
]
/** The server is tried again after one second, then two, and so on up to this. */
const UNAVAILABLE_PAUSE_MAX_S = 60

type Claimed = MailRow & {
  id: string
  recipient: string
  link: Buffer | null
  attempt: number
  createdAt: Date
  lease: string
  /** The part of the database that has its row. */
  sql: Sql
}

/** What a process knows about the SMTP server. */
type Server = { transport: Promise<Transport> | null; failures: number; notBefore: Date }

/** Sends until `stopping` aborts, then gives the rest until `aborting`. Without SMTP it does nothing. */
export async function dispatchMail(app: App, isClockRight: () => Promise<boolean>, signals: Signals): Promise<void> {
  if (!app.config.mail.smtp) return
  const server = newServer()
  signals.aborting.addEventListener('abort', () => close(server))
  await dispatchLoop(app, isClockRight, signals, dispatcherOf(app, server))
  close(server)
}

/** Sends what is due now, once, and returns the number of messages. For tests and tools. */
export async function dispatchMailOnce(app: App): Promise<number> {
  const server = newServer()
  const count = await dispatchOnce(dispatcherOf(app, server), 100)
  close(server)
  return count
}

const dispatcherOf = (app: App, server: Server): Dispatcher<Claimed> => ({
  name: 'mail',
  max: CONNECTIONS,
  claim: async (free) => {
    if (server.failures === 0) return claim(app, free)
    return free < CONNECTIONS || app.now() < server.notBefore ? [] : claim(app, 1)
  },
  describe: ({ id }) => ({ mail: id }),
  serve: (mail, { aborting }) => deliver(app, server, mail, aborting),
})

/** Ends messages that are out of date, a batch at a time. @returns the number of the batch */
export async function expireMail(app: App): Promise<number> {
  let expired = 0
  for (const sql of app.database.everywhere()) {
    expired += await call(sql, 'mail_expire', { limit: 1000, now: app.now() })
  }
  return expired
}

async function claim(app: App, limit: number): Promise<Claimed[]> {
  const parts = app.database.everywhere()
  const { jobs } = await claimInParts<Claimed>(
    app,
    parts,
    { limit, leaseMs: LEASE_MS },
    async (sql, lease, missing) => {
      const rows = await call(sql, 'mail_claim', {
        limit: missing,
        lease: lease.lease,
        leaseUntil: lease.leaseUntil,
        now: lease.now,
      })
      return rows.map((row) => ({ ...row, lease: lease.lease, sql }) as Claimed)
    },
  )
  return jobs
}

async function deliver(app: App, server: Server, mail: Claimed, aborting: AbortSignal): Promise<void> {
  if (mail.recipient === '') return await record(app, mail, await passOn(app, mail))
  const outcome = await send(app, server, mail)
  // A connection that the shutdown closed has no outcome: the message is due when its lease ends.
  if (aborting.aborted && outcome.kind === 'failed') return
  app.crashPoint('mail.sent')
  const now = app.now()
  if (outcome.kind === 'failed' && outcome.isUnavailable) {
    if (server.failures === 0)
      app.log.warn({ reason: outcome.response }, 'the SMTP server does not accept mail; trying again')
    server.failures += 1
    server.notBefore = later(now, doublingPauseS(server.failures, UNAVAILABLE_PAUSE_MAX_S))
  } else {
    if (server.failures > 0) app.log.info('the SMTP server accepts mail again')
    server.failures = 0
  }
  await record(app, mail, outcome)
}

/** Writes a notice of a team for each owner who wants it. Idempotent: an owner's key contains the team row's id. */
async function passOn({ sql, now }: App, { id, userId: teamId, kind, data }: Claimed): Promise<SendOutcome> {
  const owners = await sql<{ userId: string; team: string }[]>`
    select m.user_id, t.name as team
    from kinora.team_member m
    join kinora.team t on t.id = m.team_id
    where m.team_id = ${teamId} and m.role = 'owner'
    order by m.user_id
  `
  for (const { userId, team } of owners) {
    await call(sql, 'mail_write_one', { userId, kind, key: `of ${id}`, data: { ...data, team, teamId }, now: now() })
  }
  return { kind: 'accepted', response: `Passed on to the owners of the team: ${owners.length}.` }
}

async function record(app: App, mail: Claimed, outcome: SendOutcome): Promise<void> {
  const now = app.now()
  const dueAt = outcome.kind === 'failed' ? nextAttempt(now, RETRIES_S, mail.attempt + 1) : null
  const state = outcome.kind === 'accepted' ? 'sent' : dueAt ? 'pending' : 'failed'
  await call(mail.sql, 'mail_record', { id: mail.id, lease: mail.lease, state, dueAt, response: outcome.response, now })
}

async function send(app: App, server: Server, mail: Claimed): Promise<SendOutcome> {
  const { config } = app
  const link = linkOf(app, mail)
  const needsLink = Object.hasOwn(accountKinds, mail.kind) && accountKinds[mail.kind as keyof typeof accountKinds].link
  if (needsLink && link === null) {
    return { kind: 'refused', response: 'Its link cannot be read any more, because AUTH_SECRET has changed.' }
  }
  if (!config.mail.smtp) return { kind: 'failed', response: 'SMTP_URL is not set.', isUnavailable: true }
  const message = compose(app, mail, link ?? '')
  server.transport ??= openTransport(config, config.mail.smtp)
  const transport = await server.transport
  return transport.send({ ...message, id: mail.id, to: mail.recipient, createdAt: mail.createdAt })
}

const newServer = (): Server => ({ transport: null, failures: 0, notBefore: new Date(0) })

function close(server: Server): void {
  void server.transport?.then((transport) => transport.close())
  server.transport = null
}
