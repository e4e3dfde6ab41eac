/**
 * The checklist of a new service, for its administrators: each item is tested by the checks of `kinora doctor`. The
 * audit log has the tests; what they found may name people, and is shown to who asked alone.
 */
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { checksOf, SETUP_ITEMS, type SetupItem } from './doctor-checks.ts'
import type { Finding } from './finding.ts'

/** `advice`: something is left to do, as findings say. `fault`: the service does not work with it. */
export const SETUP_STATES = ['good', 'advice', 'fault'] as const
export type SetupState = (typeof SETUP_STATES)[number]
type LastTest = { item: SetupItem; state: SetupState; actorEmail: string | null; testedAt: Date }
type By = { actorId: string; requestId: string | null }

/** `isOpen`: of a service in production whose items are not all tested without a fault, until one closes it. */
export async function readSetup({ sql, config }: App): Promise<{ isOpen: boolean; tests: LastTest[] }> {
  const [tests, [closed]] = await Promise.all([
    sql<LastTest[]>`
      select distinct on (a.subject) a.subject as item, a.after ->> 'state' as state, a.created_at as tested_at,
             u.email as actor_email
      from kinora.audit a
      left join public."user" u on u.id = a.actor_id::text
      where a.action = 'setup.test'
      order by a.subject, a.id desc
    `,
    sql`select from kinora.audit where action = 'setup.close' limit 1`,
  ])
  const isDone = SETUP_ITEMS.every((item) => tests.some((each) => each.item === item && each.state !== 'fault'))
  return { isOpen: config.production && !closed && !isDone, tests }
}

/** Tests an item now: sends a mail to the administrator, writes and reads a file, and so on. */
export async function testItem(
  { sql, config, now }: App,
  { item, actorId, requestId }: { item: SetupItem } & By,
): Promise<{ state: SetupState; findings: Finding[] }> {
  const [user] = await sql<{ email: string; language: string | null }[]>`
    select email, language from public."user" where id = ${actorId}
  `
  const asking = { sql, email: user?.email ?? '', language: user?.language ?? null }
  const findings = (await Promise.all(checksOf[item].map((check) => check(config, asking)))).flat()
  const state = findings.some(({ isFault }) => isFault)
    ? 'fault'
    : findings.every(({ remedy }) => remedy === '')
      ? 'good'
      : 'advice'
  await call(sql, 'audit_add', {
    ...{ actorId, requestId, action: 'setup.test', subject: item, after: { state }, now: now() },
  })
  return { state, findings }
}

/** The checklist is no longer what administrators see first. */
export const closeSetup = ({ sql, now }: App, by: By & { reason: string }): Promise<unknown> =>
  call(sql, 'audit_add', { ...by, action: 'setup.close', now: now() })
