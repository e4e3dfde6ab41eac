/**
 * How session tokens are stored: as SHA-256 hashes, so that a stolen copy of the database contains no session. A slow hash is not
 * needed: a token has 190 random bits. Migration 0020 has the same function in SQL.
 */
import { createHash } from 'node:crypto'

/** The stored form of a token, which is no credential: a stored form that is sent as a token is hashed again, and found nowhere. */
export const hashSessionToken = (token: string): string =>
  `sha256:${createHash('sha256').update(token).digest('base64url')}`

/** Writes of a session's time of last use, in seconds: each would otherwise be a write for every look-up. */
export const lastUsedEveryS = (idleS: number): number => Math.min(60, idleS / 10)
