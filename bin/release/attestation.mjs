/**
 * Provenance of a release: an in-toto statement with SLSA's provenance as its predicate, in a DSSE envelope that is
 * signed with Ed25519. The signature covers the type and the bytes of the statement, the statement the SHA-256 of every
 * file.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://slsa.dev/provenance/v1'

/**
 * @param {{ folder: string, files: string[], version: string, commit: string, isDirty: boolean, lockFile: string,
 *   startedAt: Date, finishedAt: Date }} build `files`: names in `folder`; `lockFile`: package-lock.json of the sources
 */
export function statementOf({ folder, files, version, commit, isDirty, lockFile, startedAt, finishedAt }) {
  return {
    _type: STATEMENT_TYPE,
    subject: files.map((name) => ({ name, digest: { sha256: sha256(path.join(folder, name)) } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      buildDefinition: {
        buildType: 'urn:kinora:release:v1',
        externalParameters: { version, isDirty },
        internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: sha256(lockFile) } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:kinora:release-check' },
        metadata: { startedOn: startedAt.toISOString(), finishedOn: finishedAt.toISOString() },
      },
    },
  }
}

/** @param {import('node:crypto').KeyLike} privateKey Ed25519 */
export function signStatement(statement, privateKey) {
  const key = createPrivateKey(privateKey)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The release key is not an Ed25519 key.')
  const payload = Buffer.from(JSON.stringify(statement))
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [
      { keyid: keyId(createPublicKey(key)), sig: sign(null, preAuthEncoding(payload), key).toString('base64') },
    ],
  }
}

/**
 * Checks the signature and every file that the statement names.
 * @param {string} folder of the files
 * @returns {string[]} the problems; empty: the release is what was signed
 */
export function problemsOf(envelope, publicKey, folder) {
  const key = createPublicKey(publicKey)
  if (key.asymmetricKeyType !== 'ed25519') return ['the public key is not an Ed25519 key']
  if (envelope?.payloadType !== PAYLOAD_TYPE || typeof envelope.payload !== 'string')
    return ['this is no DSSE envelope']
  const payload = Buffer.from(envelope.payload, 'base64')
  const isSigned = (envelope.signatures ?? []).some(({ sig }) =>
    verify(null, preAuthEncoding(payload), key, Buffer.from(`${sig}`, 'base64')),
  )
  // Nothing in a payload without a valid signature is read.
  if (!isSigned) return ['no signature is of this key']
  const { _type, predicateType, subject = [] } = JSON.parse(payload.toString('utf8'))
  if (_type !== STATEMENT_TYPE || predicateType !== PREDICATE_TYPE) return ['the statement is of another type']
  if (subject.length === 0) return ['the statement names no file']
  return subject.flatMap(({ name, digest }) => {
    if (path.basename(name) !== name) return [`${name} is no file name`]
    const file = path.join(folder, name)
    if (!existsSync(file)) return [`${name} is missing`]
    return sha256(file) === digest.sha256 ? [] : [`${name} is not the file that was signed`]
  })
}

/** SHA-256 of the key in DER (SPKI). */
export const keyId = (publicKey) =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')

/** DSSE's PAE: the signature covers the payload's type too. */
const preAuthEncoding = (payload) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${payload.length} `), payload])

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')
