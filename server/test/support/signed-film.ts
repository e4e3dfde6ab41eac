/** A film that is inspected and signed as before its storage, by a certificate of its own. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { BufferSource, EncodedPacketSink, Input, MP4, QTFF } from 'mediabunny'
import { bindInspectedFilm, inspectFilm } from '../../src/media/film/inspect.ts'
import { openSigner } from '../../src/provenance/keys.ts'
import { bindingRequestOf, type Signing, signFilm } from '../../src/provenance/sign.ts'
import { judge } from './content-credentials.ts'
import { writeFilm } from './film-file.ts'

export const facts: Signing['facts'] = {
  instanceId: 'xmp:iid:1',
  model: 'Delta 1.5',
  madeAt: new Date('2026-11-01T12:00:00Z'),
  isComposite: false,
  generator: { name: 'Kinora', version: '1.0.0' },
  ingredients: [],
}

/** @returns the stored bytes, and the manifest beside them */
export async function sign(t: TestContext, bytes: Uint8Array, change: Partial<Signing> = {}) {
  const { folder, file, thumbnailFile } = await writeFilm(t, bytes)
  const own = { dataDir: folder, provenance: { certificate: null, key: null } }
  const signer = await openSigner(own, new Date())
  const signing: Signing = { signer, timeStamp: null, facts, label: null, ...change }
  const { binding, film } = await bindInspectedFilm(file, { binding: bindingRequestOf(signing, bytes.length) })
  const target = path.join(folder, 'signed')
  const signed = await signFilm(signing, { file, target, contentType: film.contentType, binding })
  const stored = await readFile(signed.manifest ? file : target)
  return { ...signed, bytes: stored, contentType: film.contentType, root: signer.root ?? '', thumbnailFile, target }
}

/** Asserts that the film contains its manifest, trusted, and plays as before: the same pictures at the same times. */
export async function assertEmbedded(before: Uint8Array, signed: Awaited<ReturnType<typeof sign>>): Promise<void> {
  assert.equal(signed.manifest, null)
  const found = await judge(signed.bytes, signed.contentType, signed.root)
  assert.deepEqual([found?.state, found?.failures], ['Trusted', []])
  assert.deepEqual(await packetsOf(signed.bytes), await packetsOf(before))
  await inspectFilm(signed.target, { thumbnailFile: signed.thumbnailFile })
}

const open = (bytes: Uint8Array) => new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF] })

async function packetsOf(bytes: Uint8Array) {
  using input = open(bytes)
  const track = (await input.getPrimaryVideoTrack()) ?? assert.fail('there is a picture')
  const packets: { timestamp: number; data: string }[] = []
  for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
    packets.push({ timestamp, data: Buffer.from(data).toString('base64') })
  }
  return packets
}

/** The texts of the film's metadata, read by mediabunny. */
export async function metadataOf(bytes: Uint8Array): Promise<Record<string, unknown>> {
  using input = open(bytes)
  return (await input.getMetadataTags()).raw ?? {}
}
