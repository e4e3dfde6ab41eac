/**
 * The administrators whose credentials were looked up last: a database that is away authenticates no user, and what says
 * so must not be away with it. They see what each of them has read before (async/last-known.ts), no more.
 */
import { LRUCache } from 'lru-cache'
import type { App } from '../../app.ts'
import { type Presented, readCredential } from './presented.ts'

type Known = { actorId: string; isAdmin: boolean }

const LAST_MAX = 64
const LAST_MS = 3600_000

export function openLastAdministrators<Caller extends Known>({ config, now }: Pick<App, 'config' | 'now'>) {
  type Found = { caller: Caller; expiresMs: number }
  const last = new LRUCache<string, Found>({ max: LAST_MAX, ttl: LAST_MS })
  return {
    note: (key: string, found: Found | null) => {
      if (found?.caller.isAdmin) last.set(key, found)
      else last.delete(key)
    },
    drop: (userIds: ReadonlySet<string>) => {
      for (const [key, { caller }] of [...last.entries()]) if (userIds.has(caller.actorId)) last.delete(key)
    },
    find: ({ headers }: Presented): Caller | null => {
      const credential = readCredential(headers, config)
      const entry = credential && last.get(credential.kind + credential.hash)
      return entry && entry.expiresMs > now().getTime() ? entry.caller : null
    },
  }
}
