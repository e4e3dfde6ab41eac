/**
 * Who signs: the certificate and key of PROVENANCE_CERTIFICATE and PROVENANCE_KEY, or a root and a leaf of this
 * service's own, made by the first start and kept in DATA_DIR, which no other program trusts. The own leaf is renewed
 * from its root before it expires.
 */
import { createPrivateKey, createPublicKey, randomBytes, type webcrypto, X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Signer } from './signature.ts'

export type KeySettings = { dataDir: string; provenance: { certificate: string | null; key: string | null } }

/** `validFrom`, `validTo`: of the whole chain. `isOwn`: made here. `root`: PEM of the own root, for a tool to trust. */
export type OpenSigner = Signer & { name: string; validFrom: Date; validTo: Date; isOwn: boolean; root: string | null }

const DAY_MS = 86_400_000
const LEAF_DAYS = 365
const ROOT_DAYS = 3650
const RENEW_DAYS = 30
/** The leaf has its key in its file, so that a renewal replaces both at once. */
const FILES = { root: 'root.pem', rootKey: 'root.key', leaf: 'certificate.pem' }

const folderOf = (dataDir: string): string => path.join(dataDir, 'provenance')

/** How one gets a certificate that programs of strangers trust. */
export const TRUST_LIST =
  'apply to an authority of the C2PA trust list: docs/provenance.md#a-certificate-that-strangers-trust'
/** From then on an operator is warned. The own certificate is renewed before. */
export const WARN_DAYS = 21

export const endsSoon = ({ validTo }: OpenSigner, now: Date): boolean =>
  validTo.getTime() - now.getTime() < WARN_DAYS * DAY_MS

/** @throws Error whose message names the setting to change, also when its certificate does not count now */
export async function openSigner(settings: KeySettings, now: Date): Promise<OpenSigner> {
  const { certificate, key } = settings.provenance
  if (certificate !== null && key !== null) {
    const signer = signerOf(certificate, key, null)
    const { validFrom, validTo } = signer
    if (validFrom <= now && now < validTo) return signer
    const dates = `from ${validFrom.toISOString()} to ${validTo.toISOString()}`
    throw new Error(
      `PROVENANCE_CERTIFICATE, or one of its chain, is valid ${dates}, and signs no film now: set another.`,
    )
  }
  const own = await readOwn(settings.dataDir)
  if (own && own.validTo.getTime() - now.getTime() > RENEW_DAYS * DAY_MS) return own
  await makeOwn(settings.dataDir, now)
  const made = await readOwn(settings.dataDir)
  if (!made) throw new Error(`The certificate in ${folderOf(settings.dataDir)} cannot be read.`)
  return made
}

/** The signer in force, without making one. @returns null: none is made yet */
export async function findSigner({ dataDir, provenance }: KeySettings): Promise<OpenSigner | null> {
  const { certificate, key } = provenance
  return certificate !== null && key !== null ? signerOf(certificate, key, null) : readOwn(dataDir)
}

function signerOf(certificates: string, keyText: string, root: string | null): OpenSigner {
  const chain = (certificates.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  )
  const [leaf] = chain
  if (!leaf)
    throw new Error('PROVENANCE_CERTIFICATE has no certificate in PEM: begin with the signer’s own, then the chain.')
  const key = readKey(keyText)
  const details = key.asymmetricKeyDetails
  if (key.asymmetricKeyType !== 'ec' || details?.namedCurve !== 'prime256v1') {
    throw new Error('PROVENANCE_KEY must be an EC key of the curve P-256 (prime256v1), in PEM.')
  }
  if (!createPublicKey(key).equals(leaf.publicKey)) {
    throw new Error('PROVENANCE_KEY is not the key of the first certificate of PROVENANCE_CERTIFICATE.')
  }
  return {
    // A root has no place in the chain: a reader that trusts it has it.
    certificates: chain.filter((each) => each === leaf || each.subject !== each.issuer).map(({ raw }) => raw),
    key,
    name: nameOf(leaf),
    validFrom: new Date(Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom)))),
    validTo: new Date(Math.min(...chain.map(({ validTo }) => Date.parse(validTo)))),
    isOwn: root !== null,
    root,
  }
}

/** As people read it. */
export const nameOf = ({ subject }: Pick<X509Certificate, 'subject'>): string =>
  /^(?:CN|O)=(.+)$/m.exec(subject)?.[1] ?? subject

/** The text of a key is in no message, so an error of the library is not shown. */
function readKey(text: string) {
  try {
    return createPrivateKey(text)
  } catch {
    throw new Error('PROVENANCE_KEY is no private key in PEM.')
  }
}

async function readOwn(dataDir: string): Promise<OpenSigner | null> {
  const read = (file: string) => readFile(path.join(folderOf(dataDir), file), 'utf8')
  try {
    await stat(folderOf(dataDir))
  } catch {
    return null
  }
  const leaf = await read(FILES.leaf)
  return signerOf(leaf, leaf, await read(FILES.root))
}

/** Text by the name of the file. */
type OwnFiles = Record<string, string>

/** The own root and certificate with their keys, for a backup; null: none is made. */
export async function readOwnFiles(dataDir: string): Promise<OwnFiles | null> {
  if ((await readOwn(dataDir)) === null) return null
  const read = async (file: string) => [file, await readFile(path.join(folderOf(dataDir), file), 'utf8')] as const
  return Object.fromEntries(await Promise.all(Object.values(FILES).map(read)))
}

/** Restores a backup's certificate where none is. @returns false: one is there. @throws Error: it is none */
export async function restoreOwnFiles(dataDir: string, files: OwnFiles): Promise<boolean> {
  const texts = Object.values(FILES).map((file) => [file, files[file] ?? ''] as const)
  const [root = '', leaf = ''] = [files[FILES.root], files[FILES.leaf]]
  signerOf(leaf, leaf, root)
  return await placeFolder(dataDir, Object.fromEntries(texts))
}

/** Makes root and leaf, or a leaf of the root that there is. Of several renewals at once the last one stays. */
async function makeOwn(dataDir: string, now: Date): Promise<void> {
  const own = await readOwnFiles(dataDir)
  const [root = '', rootKey = ''] = [own?.[FILES.root], own?.[FILES.rootKey]]
  const made = own ? { root, rootKey } : await makeRoot(now)
  const leaf = await makeLeaf(made, now)
  const leafText = leaf.key + leaf.certificate
  if (!own) {
    await placeFolder(dataDir, { [FILES.root]: made.root, [FILES.rootKey]: made.rootKey, [FILES.leaf]: leafText })
    return
  }
  const file = path.join(dataDir, `.provenance-${randomBytes(8).toString('hex')}`)
  await writeFile(file, leafText, { mode: 0o600 })
  await rename(file, path.join(folderOf(dataDir), FILES.leaf))
}

/** The folder appears whole, and by one process. @returns false: there is one already */
async function placeFolder(dataDir: string, files: OwnFiles): Promise<boolean> {
  await mkdir(dataDir, { recursive: true })
  const made = await mkdtemp(path.join(dataDir, '.provenance-'))
  try {
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(made, file), text, { mode: 0o600 })
    await rename(made, folderOf(dataDir))
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
const serial = () => randomBytes(16).toString('hex')
const until = (now: Date, days: number) => ({
  // An hour earlier, for the clocks of others.
  notBefore: new Date(now.getTime() - 3_600_000),
  notAfter: new Date(now.getTime() + days * DAY_MS),
})

async function makeRoot(now: Date): Promise<{ root: string; rootKey: string }> {
  // Loaded on demand: it takes 0.1 s of CPU time, once in the life of a service.
  const x509 = await import('@peculiar/x509')
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=Kinora self-made root, O=Kinora',
    ...until(now, ROOT_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { root: pemOfCertificate(certificate), rootKey: await pemOf(keys.privateKey) }
}

async function makeLeaf(
  { root, rootKey }: { root: string; rootKey: string },
  now: Date,
): Promise<{ certificate: string; key: string }> {
  const x509 = await import('@peculiar/x509')
  const issuer = new x509.X509Certificate(root)
  const der = createPrivateKey(rootKey).export({ format: 'der', type: 'pkcs8' })
  const signingKey = await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=Kinora (self-made), O=Kinora',
    issuer: issuer.subject,
    ...until(now, LEAF_DAYS),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.emailProtection]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  })
  return { certificate: pemOfCertificate(certificate), key: await pemOf(keys.privateKey) }
}

/** With an end of its last line, so that files of several can be joined. */
const pemOfCertificate = (certificate: { toString(format: 'pem'): string }): string =>
  `${certificate.toString('pem')}\n`

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}
