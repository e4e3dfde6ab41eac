/** Which notices a user gets by mail. */

import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { NOTICES, type Notice, OFF_BY_DEFAULT } from './kinds.ts'

export type NoticeSettings = Record<Notice, boolean>

export async function noticesOf({ sql }: App, userId: string): Promise<NoticeSettings> {
  const rows = await sql<{ kind: string; isWanted: boolean }[]>`
    select kind, is_wanted from kinora.mail_setting where user_id = ${userId}
  `
  const chosen = new Map(rows.map(({ kind, isWanted }) => [kind, isWanted]))
  return Object.fromEntries(
    NOTICES.map((kind) => [kind, chosen.get(kind) ?? !OFF_BY_DEFAULT.includes(kind)]),
  ) as NoticeSettings
}

export async function setNotice({ sql, now }: App, userId: string, kind: Notice, isWanted: boolean): Promise<void> {
  await call(sql, 'mail_set_wanted', { userId, kind, isWanted, now: now() })
}
