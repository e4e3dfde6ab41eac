/**
 * UUIDv7 (RFC 9562): sorts by creation time. Newest-first is a backward scan of the primary key, and new rows are
 * inserted into one page of the index. Invariant: the ids that a process makes within a millisecond, up to 2,048 of
 * them, sort in the order in which it makes them.
 */
import { randomBytes } from 'node:crypto'

// Random bytes are fetched in bulk: one system call for 256 ids.
let pool = randomBytes(4096)
let used = 0

// The 12 bits after the time are a counter (RFC 9562, 6.2, method 1). In a new millisecond it starts at random in its
// lower half.
const COUNTER_MAX = 0xfff
let lastMs = 0
let counter = 0

export function newId(now: Date): string {
  if (used === pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  const random = pool.subarray(used, used + 16)
  used += 16
  const nowMs = now.getTime()
  counter = nowMs === lastMs && counter < COUNTER_MAX ? counter + 1 : random.readUInt16BE(6) & (COUNTER_MAX >> 1)
  lastMs = nowMs
  random.writeUIntBE(nowMs, 0, 6)
  random.writeUInt16BE(0x7000 | counter, 6)
  random[8] = 0x80 | ((random[8] ?? 0) & 0x3f)
  return uuidOf(random)
}

/**
 * An id for a team: a UUIDv8 that follows every id of a user, so that the order of ids, in which accounts are locked,
 * has users before teams. Teams sort by creation time among themselves.
 */
export const newTeamId = (now: Date): string => teamIdOf(newId(now))

/** The id of a team with the other bits of an id. */
export const teamIdOf = (id: string): string => `ff${id.slice(2, 14)}8${id.slice(15)}`

/** A bit that no UUID of RFC 9562 has: that of the variant after the one which all of them have. */
const TEST_BIT = 4
const TEST_AT = 19
const flipped = (id: string): string =>
  id.slice(0, TEST_AT) + (Number.parseInt(id.charAt(TEST_AT), 16) ^ TEST_BIT).toString(16) + id.slice(TEST_AT + 1)

/**
 * Whether it is the id of an owner of what test keys make: an account beside that of a user or a team, with lists,
 * limits and credits of its own (kinora.is_test).
 */
export const isTestOwner = (id: string): boolean => (Number.parseInt(id.charAt(TEST_AT), 16) & TEST_BIT) !== 0

/** The owner of what the test keys of a user or a team make. */
export const testOwnerOf = (id: string): string => (isTestOwner(id) ? id : flipped(id))

/** The user or team whose keys act for an owner. */
export const keyOwnerOf = (id: string): string => (isTestOwner(id) ? flipped(id) : id)

/** Precedes every id of this millisecond and later, and follows all earlier ones. */
export function firstIdOf(time: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, time.getTime()), 0, 6)
  return uuidOf(bytes)
}

/** The text of a uuid of 16 bytes. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** Precedes every id, and is the id of no user but of the service itself in the audit log. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
