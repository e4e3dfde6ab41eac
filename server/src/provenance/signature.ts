/** The signature of a claim: COSE_Sign1 (RFC 9052) with the certificates, a time stamp, and padding up to a size that is known before. */
import { type KeyObject, sign } from 'node:crypto'
import { CBORTag, type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'

const COSE_SIGN1 = 18
const ES256 = -7
const X5CHAIN = 33

/** `certificates`: DER, the signer's first, without the root. `key`: of the curve P-256. */
export type Signer = { certificates: readonly Uint8Array[]; key: KeyObject }
/** @returns a time stamp token (RFC 3161) of the bytes; null: the claim is signed without */
export type TimeStamp = (bytes: Uint8Array) => Promise<Uint8Array | null>

/**
 * @param sizeBytes of the whole result; @throws RangeError when it is too small
 * @param timeStamp null: none
 */
export async function signClaim(
  { certificates, key }: Signer,
  claim: Uint8Array,
  { sizeBytes, timeStamp }: { sizeBytes: number; timeStamp: TimeStamp | null },
): Promise<Buffer> {
  const header = encodeCBOR(
    new Map<number, CBORType>([
      [1, ES256],
      [X5CHAIN, [...certificates]],
    ]),
  )
  const signature = sign('sha256', structure('Signature1', header, claim), { key, dsaEncoding: 'ieee-p1363' })
  const token = await timeStamp?.(structure('CounterSignature', header, encodeCBOR(signature)))
  const stamp = token ? [['sigTst2', new Map([['tstTokens', [new Map([['val', token]])]]])] as const] : []
  const withPadding = (padBytes: number) =>
    encodeCBOR(
      new CBORTag(COSE_SIGN1, [
        header,
        new Map<string, CBORType>([...stamp, ['pad', new Uint8Array(padBytes)]]),
        null,
        signature,
      ]),
    )
  return Buffer.from(padded(withPadding, sizeBytes))
}

/** The length of a text's own length grows with it, so the second try corrects the first. */
function padded(withPadding: (padBytes: number) => Uint8Array, sizeBytes: number): Uint8Array {
  let padBytes = sizeBytes - withPadding(0).length
  for (let tries = 0; tries < 3 && padBytes >= 0; tries += 1) {
    const bytes = withPadding(padBytes)
    if (bytes.length === sizeBytes) return bytes
    padBytes -= bytes.length - sizeBytes
  }
  throw new RangeError(`A signature with its certificates and time stamp does not fit into ${sizeBytes} bytes.`)
}

/** Sig_structure of RFC 9052, 4.4. */
const structure = (context: 'Signature1' | 'CounterSignature', header: Uint8Array, payload: Uint8Array): Uint8Array =>
  encodeCBOR([context, header, new Uint8Array(), payload])
