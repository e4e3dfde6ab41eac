/**
 * The rules for a new password, as in NIST SP 800-63B: a length, and no password that many people use. Rules about
 * digits and capitals are left out on purpose, because they make passwords guessable.
 *
 * `common-passwords.bin` has the most used passwords of at least PASSWORD_MIN characters, as the first 6 bytes of the
 * SHA-256 of each in lower case, sorted: 270 kB instead of a set of 4 MB, and by chance one other password in 6 × 10⁹
 * is taken for one of them. `bin/common-passwords.mjs` made it from a list that names its source.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageUrl } from '../config/package-dir.ts'

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 128

const HASH_BYTES = 6

export type PasswordProblem = 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | 'PASSWORD_TOO_COMMON' | 'PASSWORD_IS_EMAIL'

/** @returns why this user must not have this password; null when it is allowed */
export function passwordProblem(password: string, email: string): PasswordProblem | null {
  // A character is a code point, as in the schemas of requests.
  const characters = [...password].length
  if (characters < PASSWORD_MIN) return 'PASSWORD_TOO_SHORT'
  if (characters > PASSWORD_MAX) return 'PASSWORD_TOO_LONG'
  const comparable = normalize(password)
  const address = normalize(email)
  if (address && [address, address.slice(0, address.lastIndexOf('@'))].includes(comparable)) return 'PASSWORD_IS_EMAIL'
  return isCommon(comparable) ? 'PASSWORD_TOO_COMMON' : null
}

/** The same text typed with other capitals, or as other code points, is the same guess. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().trim()

let hashes: Buffer | undefined

function isCommon(password: string): boolean {
  hashes ??= readFileSync(new URL('src/account/common-passwords.bin', packageUrl))
  const wanted = createHash('sha256').update(password).digest().subarray(0, HASH_BYTES)
  let [low, high] = [0, hashes.length / HASH_BYTES]
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = hashes.compare(wanted, 0, HASH_BYTES, middle * HASH_BYTES, (middle + 1) * HASH_BYTES)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}
