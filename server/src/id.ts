/**
 * UUIDv7 (RFC 9562): sorts by creation time. Newest-first is a backward scan of the primary key, and new rows are
 * inserted into one page of the index.
 */
import { randomBytes } from 'node:crypto'

// Random bytes are fetched in bulk: one system call for 256 ids.
let pool = randomBytes(4096)
let used = 0

export function newId(now: Date): string {
  if (used === pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  const random = pool.subarray(used, used + 16)
  used += 16
  random.writeUIntBE(now.getTime(), 0, 6)
  random[6] = 0x70 | ((random[6] ?? 0) & 0x0f)
  random[8] = 0x80 | ((random[8] ?? 0) & 0x3f)
  const hex = random.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Before every id, and the id of no user: of the service itself in the audit log. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
