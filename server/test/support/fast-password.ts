/**
 * Passwords of the tests are hashed with scrypt at its lowest cost: better-auth's own takes 90 ms of CPU time. Processes that a test
 * starts (`kinora api`) hash as in production.
 */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { verifyPassword } from 'better-auth/crypto'

const PREFIX = 'fast'
const digest = (password: string, salt: string): Buffer => scryptSync(password, salt, 32, { N: 2 })

export const fastPassword = {
  hash: async (password: string): Promise<string> => {
    const salt = randomBytes(16).toString('hex')
    return [PREFIX, salt, digest(password, salt).toString('hex')].join(':')
  },
  /** Also of hashes that a command has written. */
  verify: async ({ hash, password }: { hash: string; password: string }): Promise<boolean> => {
    const [prefix, salt = '', hex = ''] = hash.split(':')
    if (prefix !== PREFIX) return verifyPassword({ hash, password })
    return timingSafeEqual(Buffer.from(hex, 'hex'), digest(password, salt))
  },
}
