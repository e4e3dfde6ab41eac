/**
 * What administrators must know of disputes and of payments that failed: read from the stored events, as each processor
 * says it, because nothing follows for the ledger from a deadline or from the words of a bank.
 */
import type { App } from '../app.ts'
import type { Processor } from '../config/processors.ts'
import type { Fragment, Query } from '../db/db.ts'
import { parseJson } from '../text/json-reader.ts'
import type { Notice } from './processor.ts'
import { processors } from './processors.ts'

/** `url`: the processor's own page; null: it is not configured. */
export type ShownNotice = Notice & { url: string | null }

/** SQL condition: of the events that `about` names. The index payment_event_notice has its first part. */
export const isAbout = (sql: Query, about: Notice['about']): Fragment => {
  const types = Object.values(processors).flatMap(({ noticeTypes }) => noticeTypes[about])
  return sql`(type ~ '(dispute\\.created|failed|past_due|unpaid)$' and type = any(${types}))`
}

export function noticeIn({ config }: Pick<App, 'config'>, processor: Processor, body: string): ShownNotice | null {
  const notice = processors[processor].noticeOf(parseJson(body))
  if (notice === null) return null
  const settings = config.payments[processor]
  const kind = notice.about === 'dispute' ? 'disputes' : 'payments'
  return { ...notice, url: settings ? processors[processor].pageOf(settings, kind, notice.objectId) : null }
}

type Told = { processor: Processor; userId: string | null; body: string }

/** What each event tells, a dispute as its latest event has it: its end comes behind all others. */
export async function noticesOf<Event extends Told>(app: App, events: readonly Event[]) {
  const told = events.map((event) => ({ ...event, notice: noticeIn(app, event.processor, event.body) }))
  const users = told.filter(({ notice }) => notice?.about === 'dispute').flatMap(({ userId }) => userId ?? [])
  if (users.length === 0) return told
  const later = await app.sql<Told[]>`
    select processor, user_id, body
    from kinora.payment_event
    where user_id = any(${[...new Set(users)]}) and body <> '' and type like '%dispute.%'
    order by type like '%closed', received_at
  `
  const latest = new Map(
    later.flatMap(({ processor, body }) => {
      const notice = noticeIn(app, processor, body)
      return notice ? [[notice.objectId, notice] as const] : []
    }),
  )
  return told.map((each) => ({ ...each, notice: each.notice && (latest.get(each.notice.objectId) ?? each.notice) }))
}
