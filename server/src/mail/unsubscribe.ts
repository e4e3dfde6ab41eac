/**
 * Links that switch one kind of notice off for one user, without a sign-in (RFC 8058). A link works for ever, as mail
 * programs expect, and allows nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import { derivedKey } from '../config/seal.ts'
import { isUuid } from '../id.ts'
import { isNotice, type Notice } from './kinds.ts'
import { setNotice } from './notices.ts'

type Settings = Pick<App, 'config'>

/** `post`: the URL of the header List-Unsubscribe. `page`: the studio's page, whose button asks first. */
export function unsubscribeUrls({ config }: Settings, userId: string, kind: Notice): { post: string; page: string } {
  const token = `${userId}.${kind}.${signature(config, userId, kind)}`
  return {
    post: `${config.publicUrl}/api/v1/account/notices/unsubscribe?token=${token}`,
    page: unsubscribePage(config, token),
  }
}

export const unsubscribePage = ({ publicUrl }: Pick<App['config'], 'publicUrl'>, token: string): string =>
  `${publicUrl}/unsubscribe#token=${encodeURIComponent(token)}`

/** @returns the notice that is off now; null for a token that is not ours */
export async function unsubscribe(app: App, token: string): Promise<Notice | null> {
  const [, userId = '', kind = '', given = ''] = /^([\w-]+)\.([a-z.]+)\.([\w-]{43})$/.exec(token) ?? []
  if (!isUuid(userId) || !isNotice(kind)) return null
  const expected = Buffer.from(signature(app.config, userId, kind))
  if (!timingSafeEqual(expected, Buffer.from(given))) return null
  await setNotice(app, userId, kind, false)
  return kind
}

const signature = (config: App['config'], userId: string, kind: Notice): string =>
  createHmac('sha256', derivedKey(config, 'kinora unsubscribe')).update(`${userId} ${kind}`).digest('base64url')
