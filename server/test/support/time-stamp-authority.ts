/** A time stamp authority (RFC 3161) of its own, over HTTP: its certificate is of its own root. */
import { createPrivateKey, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as x509 from '@peculiar/x509'

type Answer = (query: Buffer) => { status: number; body: Buffer } | null
export type Authority = {
  url: string
  /** PEM. */
  root: string
  /** How many requests came. */
  asked: () => number
  /** What it answers instead of a time stamp; null of the function: nothing, ever. */
  answer: (instead: Answer | null) => void
  close: () => Promise<void>
}

type Stamper = { root: string; leaf: x509.X509Certificate; key: KeyObject }

export async function startAuthority(): Promise<Authority> {
  const stamper = await makeStamper()
  let instead: Answer | null = null
  let asked = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked += 1
    const query = Buffer.concat(chunks)
    const answer = instead ? instead(query) : { status: 200, body: stamp(stamper, query) }
    if (answer) {
      response.writeHead(answer.status, { 'content-type': 'application/timestamp-reply' }).end(answer.body)
    } else request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    root: stamper.root,
    asked: () => asked,
    answer: (other) => {
      instead = other
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function makeStamper(): Promise<Stamper> {
  const rootKeys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const common = {
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 3650 * 86_400_000),
    signingAlgorithm: ALGORITHM,
  }
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: 'CN=Root of time, O=Test',
    keys: rootKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  })
  const leaf = await x509.X509CertificateGenerator.create({
    ...common,
    serialNumber: '0102',
    subject: 'CN=Authority of time, O=Test',
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.timeStamping], true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(root),
    ],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return { root: `${root.toString('pem')}\n`, leaf, key }
}

function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const [high, low] = [body.length >> 8, body.length & 0xff]
  const length = high > 0 ? Buffer.of(0x82, high, low) : low >= 0x80 ? Buffer.of(0x81, low) : Buffer.of(low)
  return Buffer.concat([Buffer.of(tag), length, body])
}
const sequence = (...content: Uint8Array[]) => der(0x30, ...content)
const set = (...content: Buffer[]) => der(0x31, ...content.sort(Buffer.compare))
const integer = (value: number) => der(0x02, Buffer.of(value))
const text = (value: Uint8Array) => der(0x04, value)
const name = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

const SHA256 = sequence(name('608648016503040201'))
const ECDSA = sequence(name('2a8648ce3d040302'))
const SIGNED_DATA = name('2a864886f70d010702')
const STAMP = name('2a864886f70d0109100104')
const attribute = (hex: string, value: Buffer) => sequence(name(hex), set(value))

/** Where a request has the hash and the nonce. */
const IMPRINT = [24, 56] as const
const NONCE = [56, 66] as const

/** A response that grants a time stamp of this request. */
export function stamp({ leaf, key }: Stamper, query: Buffer): Buffer {
  const time = new Date().toISOString().replace(/[-:T]|\.\d+/g, '')
  const info = sequence(
    integer(1),
    name('2b06010401868d1f01'),
    sequence(SHA256, text(query.subarray(...IMPRINT))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    der(0x18, Buffer.from(time)),
    query.subarray(...NONCE),
  )
  const certificate = Buffer.from(leaf.rawData)
  const attributes = [
    attribute('2a864886f70d010903', STAMP),
    attribute('2a864886f70d010904', text(hash('sha256', info, 'buffer'))),
    attribute('2a864886f70d010910022f', sequence(sequence(sequence(text(hash('sha256', certificate, 'buffer')))))),
  ]
  const signedPart = set(...attributes)
  const serial = der(0x02, Buffer.from(leaf.serialNumber, 'hex'))
  const signer = sequence(
    integer(1),
    sequence(Buffer.from(leaf.issuerName.toArrayBuffer()), serial),
    SHA256,
    Buffer.concat([Buffer.of(0xa0), signedPart.subarray(1)]),
    ECDSA,
    text(sign('sha256', signedPart, key)),
  )
  const signedData = sequence(
    integer(3),
    set(SHA256),
    sequence(STAMP, der(0xa0, text(info))),
    der(0xa0, certificate),
    set(signer),
  )
  return sequence(sequence(integer(0)), sequence(SIGNED_DATA, der(0xa0, signedData)))
}
