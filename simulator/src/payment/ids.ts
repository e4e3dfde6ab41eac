import { randomBytes } from 'node:crypto'

/** An id as the processors make them: the prefix, e.g. `evt_`, and `length` random letters and digits. */
export function newId(prefix: string, length = 22): string {
  return (
    prefix +
    BigInt(`0x${randomBytes(length).toString('hex')}`)
      .toString(36)
      .slice(0, length)
  )
}
