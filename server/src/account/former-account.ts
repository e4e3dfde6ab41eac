/** What stays of a deleted account outside the books: a keyed hash of its e-mail address. */
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'

/**
 * HMAC-SHA256 of the address in lower case, with AUTH_SECRET as the key: without the key a guessed address cannot be confirmed.
 * A new AUTH_SECRET forgets all former addresses.
 */
export const emailHash = ({ config }: Pick<App, 'config'>, email: string): Buffer =>
  createHmac('sha256', config.authSecret).update(`deleted account: ${email.toLowerCase()}`).digest()
