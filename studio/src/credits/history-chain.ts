/**
 * The hash chain of the credit history, recomputed in the browser. Not with WebCrypto, which browsers offer on https and
 * localhost only.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { CreditTransaction } from './transaction-types.ts'

/** @param before the hash of the row before, in hexadecimal; empty for the first row */
export const hashOf = (transaction: CreditTransaction, before: string): string =>
  bytesToHex(sha256(concatBytes(hexToBytes(before), utf8ToBytes(canonicalText(transaction)))))

/** The text that the server hashes (kinora.history_text): a JSON array with ', ' between its elements. */
function canonicalText(t: CreditTransaction): string {
  return textOf([
    t.n,
    t.id,
    t.transNo,
    t.transType,
    t.credits,
    t.balanceAfter,
    t.packageId,
    t.videoUuid,
    t.orderNo,
    t.remark,
    t.actorId,
    t.source,
    t.expiresAt === null ? null : Date.parse(t.expiresAt),
    t.graces?.map(({ packageId, credits, expiresAt }) => [packageId, credits, Date.parse(expiresAt)]) ?? null,
    Date.parse(t.createdAt),
  ])
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(textOf).join(', ')}]` : JSON.stringify(value)
