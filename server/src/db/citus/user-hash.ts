/**
 * PostgreSQL's `hashuuid`, by which Citus finds the shard of a user id: the hash "lookup3" of Bob Jenkins over the
 * sixteen bytes, as src/common/hashfn.c of PostgreSQL has it for a little-endian machine. Here, because a request knows
 * its shard before its statement is sent.
 */

const START = 0x9e3779b9 + 16 + 3_923_095

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** @returns a signed number of 32 bits */
export function hashUser(userId: string): number {
  const bytes = Buffer.from(userId.replaceAll('-', ''), 'hex')
  if (bytes.length !== 16) throw new Error(`${JSON.stringify(userId)} is no UUID`)
  let a = (START + bytes.readInt32LE(0)) | 0
  let b = (START + bytes.readInt32LE(4)) | 0
  let c = (START + bytes.readInt32LE(8)) | 0

  a = ((a - c) | 0) ^ rotate(c, 4)
  c = (c + b) | 0
  b = ((b - a) | 0) ^ rotate(a, 6)
  a = (a + c) | 0
  c = ((c - b) | 0) ^ rotate(b, 8)
  b = (b + a) | 0
  a = ((a - c) | 0) ^ rotate(c, 16)
  c = (c + b) | 0
  b = ((b - a) | 0) ^ rotate(a, 19)
  a = (a + c) | 0
  c = ((c - b) | 0) ^ rotate(b, 4)
  b = (b + a) | 0

  a = (a + bytes.readInt32LE(12)) | 0

  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  c = ((c ^ b) - rotate(b, 24)) | 0
  return c
}
