/** What stays of a deleted account outside the books: a keyed hash of its e-mail address. */
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'

/**
 * HMAC-SHA256 of the address in lower case, with AUTH_SECRET as the key: without the key a guessed address cannot be confirmed.
 * A new AUTH_SECRET forgets all former addresses.
 */
export const emailHash = ({ config }: Pick<App, 'config'>, email: string): Buffer =>
  createHmac('sha256', config.authSecret).update(`deleted account: ${email.toLowerCase()}`).digest()

/** Whether a deleted account had the e-mail address of this user, for whom no gift is decided yet. */
export async function hadAccount(app: App, userId: string): Promise<boolean> {
  const { sql } = app
  // Nearly every sign-in ends here, because the gift is decided at the first.
  const [undecided] = await sql<{ email: string }[]>`
    select u.email
    from public."user" u
    where u.id = ${userId}
      and not exists (select from kinora.credit_account a where a.user_id = ${userId} and a.gift_at is not null)
  `
  if (!undecided) return false
  const former =
    await sql`select from kinora.deleted_account where email_hash = ${emailHash(app, undecided.email)} limit 1`
  return former.length > 0
}
