/** Links by which the maker of a film objects to its takedown, without a sign-in: the account may be locked. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import { derivedKey } from '../config/seal.ts'
import { isUuid } from '../id.ts'

/** @param id of the decision */
export const objectionUrl = (config: App['config'], id: string): string =>
  `${config.publicUrl}/objection#token=${id}.${signature(config, id)}`

/** @returns the id of the decision; null for a token that is not ours */
export function openObjection(config: App['config'], token: string): string | null {
  const [, id = '', given = ''] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? []
  if (!isUuid(id)) return null
  return timingSafeEqual(Buffer.from(signature(config, id)), Buffer.from(given)) ? id : null
}

const signature = (config: App['config'], id: string): string =>
  createHmac('sha256', derivedKey(config, 'kinora objections')).update(id).digest('base64url')
