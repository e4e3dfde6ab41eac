/** The log of a team, for its owners: what members, administrators and the service did, by the audit log. */
import type { App } from '../../app.ts'
import { by, type PageQuery, readPage } from '../../db/page.ts'
import { NIL_UUID } from '../../id.ts'
import { type Maker, makersOf } from './team.ts'

/** What members do. Each is written in the statement of its change, by kinora.team_log. */
export const TEAM_ACTIONS = [
  'team.create',
  'team.rename',
  'team.set-second-factor',
  'team.invite',
  'team.revoke-invitation',
  'team.join',
  'team.leave',
  'team.remove-member',
  'team.set-role',
  'team.set-budget',
  'team.create-key',
  'team.delete-key',
  'team.create-endpoint',
  'team.delete-endpoint',
  'team.connect-program',
  'team.disconnect-program',
  'team.take-over-key',
  'team.take-over-endpoint',
  'team.delete-folder',
  'team.delete-project',
  'team.buy',
  'team.move-credits',
] as const

/** What an entry says of its change; of an administrator's, no more. */
type Values = { role?: string; credits?: number } & Record<string, unknown>
export type TeamLogEntry = {
  id: string
  createdAt: Date
  action: string
  /** `operator`: an administrator of the service, who is not named. */
  by: 'member' | 'key' | 'operator' | 'service'
  /** The member or the key; null for the others. */
  actorId: string | null
  /** null: of no member, or the account is gone. */
  actorName: string | null
  /** The member, invitation, key, endpoint, program, folder, project or package that it concerns. */
  subject: string | null
  /** Of a member. */
  subjectName: string | null
  before: Values | null
  after: Values | null
}
type Row = Pick<TeamLogEntry, 'id' | 'createdAt' | 'action' | 'subject' | 'before' | 'after'> & { actorId: string }

/** Newest first. @throws AppError INVALID_REQUEST for an invalid cursor */
export async function listTeamLog(app: App, teamId: string, query: PageQuery) {
  const { rows, ...page } = await readPage({ log: app.log, parts: app.database.everywhere() }, query, {
    sequence: by('id', 'id'),
    rows: (sql, { where, order, limit }) => sql<Row[]>`
      select id, created_at, action, actor_id, subject, before, after
      from kinora.audit
      where user_id = ${teamId} and ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  const ids = rows.flatMap(({ actorId, subject }) => [actorId, subject]).filter((id) => id !== null)
  const people = await app.sql<{ id: string; name: string }[]>`
    select id, name from public."user" where id = any(${[...new Set(ids)]}::text[])
  `
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const actors = new Map(
    (
      await makersOf(
        app,
        teamId,
        rows.map(({ actorId }) => actorId),
      )
    ).map((each) => [each.id, each]),
  )
  return { entries: rows.map((row) => entryOf(row, names, actors.get(row.actorId))), ...page }
}

function entryOf({ actorId, ...row }: Row, names: Map<string, string>, actor: Maker | undefined): TeamLogEntry {
  const isTeams = (TEAM_ACTIONS as readonly string[]).includes(row.action)
  const by = actorId === NIL_UUID ? 'service' : !isTeams ? 'operator' : actor?.kind === 'member' ? 'member' : 'key'
  const isPublic = by === 'member' || by === 'key'
  return {
    ...row,
    by,
    actorId: isPublic ? actorId : null,
    actorName: isPublic ? (names.get(actorId) ?? actor?.name ?? null) : null,
    subjectName: names.get(row.subject ?? '') ?? null,
    before: isTeams ? row.before : brief(row.before),
    after: isTeams ? row.after : brief(row.after),
  }
}

/** Sums of the books and reasons are the administrators'. */
const brief = (values: Values | null): Values | null =>
  values && {
    ...(values.role !== undefined && { role: values.role }),
    ...(values.credits !== undefined && { credits: values.credits }),
  }

const CSV_ENTRIES_MAX = 10_000

/** The newest entries as CSV (RFC 4180). Names are inside the JSON of a change, where none is a formula. */
export async function teamLogCsv(app: App, teamId: string): Promise<string> {
  const { entries } = await listTeamLog(app, teamId, { pageSize: CSV_ENTRIES_MAX })
  const quoted = (value: unknown) => `"${JSON.stringify(value ?? {}).replaceAll('"', '""')}"`
  const lines = entries.map(({ createdAt, action, by, actorId, subject, before, after }) =>
    [createdAt.toISOString(), action, by, actorId ?? '', subject ?? '', quoted(before), quoted(after)].join(','),
  )
  return ['time,action,by,actor,subject,before,after', ...lines].map((line) => `${line}\r\n`).join('')
}
