/** The signature of a claim: COSE_Sign1 (RFC 9052) with the certificates, a time stamp, and padding to a known size. */
import { constants, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { CBORTag, type CBORType, decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor'

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

const ecdsa = { dsaEncoding: 'ieee-p1363' } as const
const rsa = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
/** By the numbers of COSE; EdDSA hashes by itself. */
const algorithms = new Map<CBORType, { digest: string | null; options: object }>([
  [ES256, { digest: 'sha256', options: ecdsa }],
  [-35, { digest: 'sha384', options: ecdsa }],
  [-36, { digest: 'sha512', options: ecdsa }],
  [-37, { digest: 'sha256', options: rsa }],
  [-38, { digest: 'sha384', options: rsa }],
  [-39, { digest: 'sha512', options: rsa }],
  [-8, { digest: null, options: {} }],
])

/** A copy, because the library reads from the beginning of the memory behind the bytes. */
export const decode = (bytes: Uint8Array): CBORType => decodeCBOR(Uint8Array.from(bytes))

/**
 * Reads the signature of a claim, which another program may have made.
 * @returns null: it is none that is known here
 */
export function verifyClaim(
  signature: Uint8Array,
  claim: Uint8Array,
): { isRight: boolean; certificate: X509Certificate } | null {
  const tagged = decode(signature)
  const parts = tagged instanceof CBORTag ? tagged.value : tagged
  if (!Array.isArray(parts)) return null
  const [header, others, , value] = parts
  if (!(header instanceof Uint8Array) || !(value instanceof Uint8Array)) return null
  const fields = decode(header)
  if (!(fields instanceof Map)) return null
  // Earlier programs have the certificates beside what is signed, and by their name.
  const chain = fields.get(X5CHAIN) ?? (others instanceof Map ? (others.get(X5CHAIN) ?? others.get('x5chain')) : null)
  const [der] = Array.isArray(chain) ? chain : [chain]
  const algorithm = algorithms.get(fields.get(1))
  if (!(der instanceof Uint8Array) || !algorithm) return null
  const certificate = new X509Certificate(der)
  const key = { key: certificate.publicKey, ...algorithm.options }
  const isRight = verify(algorithm.digest, structure('Signature1', header, claim), key, value)
  return { isRight, certificate }
}
