/** Ids as the processors make them: a prefix and random letters and digits. */
import { randomBytes } from 'node:crypto'

const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @param prefix with its underscore, e.g. `evt_`; @param length of what follows it */
export function newName(prefix: string, length = 22): string {
  // Bytes beyond the last whole round of the alphabet are dropped, or its first letters would come more often.
  let name = prefix
  while (name.length < prefix.length + length) {
    for (const byte of randomBytes(length)) {
      if (byte < signs.length * 4 && name.length < prefix.length + length) name += signs[byte % signs.length]
    }
  }
  return name
}
