/**
 * Where a film comes from, as its content credentials say: signed before it is stored, or later, in its place, where
 * that failed or was off. Invariant: a film is never lost for it. With PROVENANCE=on a film that cannot be signed is
 * stored without, and the sweep signs it; with `required` it waits in UPLOADING, and is tried again.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { fromEach } from '../db/parts.ts'
import { bindInspectedFilm, type InspectedFilm } from '../media/film/inspect.ts'
import { endsSoon, findSigner, openSigner } from '../provenance/keys.ts'
import { activeLabel, type Ingredient, labelOf as labelOfManifest } from '../provenance/manifest.ts'
import { readEmbeddedManifests, readSidecar } from '../provenance/read.ts'
import { bindingRequestOf, type SignedFilm, type Signing, signFilm, signPoster } from '../provenance/sign.ts'
import { timeStampOf } from '../provenance/time-stamp.ts'
import { contentTypeOf } from '../storage/key.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { keysOf, manifestKeyOf } from './film-files.ts'
import { type FilmToSign, videoSigned, videosToSign } from './film-transitions.ts'
import { idsOf, type Step } from './outcome.ts'
import { ingredientsOf } from './provenance-record.ts'
import type { ClaimedVideo, FilmKeys, FilmProvenance } from './transitions.ts'

/** When a film that was stored unsigned is signed. */
const LATER_MS = 5 * 60_000
/** For both files of a stored film; 15 minutes after its claim it is another worker's. */
const DOWNLOAD_MS = 10 * 60_000

type Made = Pick<ClaimedVideo, 'userId' | 'id' | 'model' | 'madeOf'> & { madeAt: Date }

/**
 * Opens who signs when a worker starts, and every hour: a certificate of the service's own is made, or renewed, and
 * what an operator has to do is in the log, before a film waits for it.
 */
export async function checkSigner({ config, log, now }: App): Promise<void> {
  if (config.provenance.mode === 'off') return
  try {
    const isFirst = (await findSigner(config)) === null
    const signer = await openSigner(config, now())
    const { name, validTo } = signer
    if (isFirst)
      log.info('made a certificate that signs films; programs of strangers do not trust it: docs/provenance.md')
    else if (endsSoon(signer, now()))
      log.warn(
        { signer: name, validTo },
        'the certificate of PROVENANCE_CERTIFICATE expires soon; without another one films are not signed from then on',
      )
  } catch (err) {
    log.error(
      { err },
      'no film can be signed: films are stored unsigned and signed later, or wait with PROVENANCE=required',
    )
  }
}

export type SigningPlan = Signing & { signerName: string }

/** @returns null: films are not signed, or not this one now. @throws with PROVENANCE=required, when it cannot be */
export async function planSigning(app: App, made: Made): Promise<SigningPlan | null> {
  const { config, now } = app
  if (config.provenance.mode === 'off') return null
  try {
    const signer = await openSigner(config, now())
    const { tsa } = config.provenance
    return {
      signer,
      signerName: signer.name,
      timeStamp: tsa === null ? null : stampOrNone(app, made, tsa),
      facts: await factsOf(app, made),
      label: chineseLabel(app, made.id),
    }
  } catch (error) {
    return unsigned(app, made, error)
  }
}

/** A film without time stamp is better than an unsigned one: its signature counts while its certificate does. */
const stampOrNone =
  (app: App, made: Made, url: string): Signing['timeStamp'] =>
  async (bytes) => {
    try {
      return await timeStampOf(url)(bytes)
    } catch (err) {
      if (app.config.provenance.mode === 'required') throw err
      app.log.warn({ err, ...idsOf(app, made) }, 'a film is signed without a time stamp')
      return null
    }
  }

/** @throws the error, with PROVENANCE=required */
function unsigned(app: App, made: Made, error: unknown): null {
  if (app.config.provenance.mode === 'required') throw error
  app.log.error(
    { err: error, ...idsOf(app, made) },
    'a film could not be signed; it is stored unsigned and signed later',
  )
  return null
}

async function factsOf(app: App, made: Made): Promise<Signing['facts']> {
  const ingredients = await Promise.all(
    ingredientsOf(made.madeOf).map(
      async ({ relationship, contentType, videoId }): Promise<Ingredient> =>
        videoId === null
          ? { relationship, contentType, manifests: null }
          : { relationship, ...(await earlierFilm(app, made.userId, videoId)) },
    ),
  )
  return {
    instanceId: `xmp:iid:${made.id}`,
    model: everyModel().get(made.model)?.name ?? made.model,
    madeAt: made.madeAt,
    isComposite: ingredients.some(({ relationship }) => relationship === 'input'),
    generator: { name: 'Kinora', version: manifest.version },
    ingredients,
  }
}

async function earlierFilm(app: App, userId: string, videoId: string): Promise<Omit<Ingredient, 'relationship'>> {
  const [film] = await app.sql<FilmKeys[]>`
    select video_key, thumbnail_key, manifest_key
    from kinora.video
    where user_id = ${userId} and id = ${videoId} and video_key is not null and files_removed_at is null
  `
  const manifests = film
    ? await (film.manifestKey
        ? readSidecar(app.storage, film.manifestKey)
        : readEmbeddedManifests(app.storage, film.videoKey))
    : null
  return { contentType: film ? contentTypeOf(film.videoKey) : null, manifests }
}

/** The JSON of GB 45438-2025; `Label` 1: it is made by AI. */
function chineseLabel({ config }: App, videoId: string): string | null {
  const { cnProducer } = config.provenance
  if (cnProducer === null) return null
  return JSON.stringify({
    Label: '1',
    ContentProducer: cnProducer,
    ProduceID: videoId,
    ReservedCode1: '',
    ContentPropagator: cnProducer,
    PropagateID: videoId,
    ReservedCode2: '',
  })
}

export const bindingOf = async (plan: SigningPlan | null, file: string) =>
  plan && bindingRequestOf(plan, (await stat(file)).size)

export type FilmToStore = {
  file: string
  sizeBytes: number
  keys: FilmKeys
  manifestFile: string | null
  provenance: FilmProvenance | null
}

/**
 * Signs an inspected film and its poster beside it.
 * @returns what is to be stored; the film as it is where it cannot be signed, due later
 * @throws with PROVENANCE=required, when it cannot be signed
 */
export async function signBeforeStorage(
  app: App,
  { video }: Pick<Step, 'video'>,
  plan: SigningPlan | null,
  stored: { film: InspectedFilm; file: string; thumbnailFile: string; keys: FilmKeys },
): Promise<FilmToStore> {
  const { film, file, thumbnailFile, keys } = stored
  const asItIs = { file, sizeBytes: film.sizeBytes, keys, manifestFile: null }
  if (app.config.provenance.mode === 'off') return { ...asItIs, provenance: null }
  const dueAt = new Date(app.now().getTime() + LATER_MS)
  if (!plan || !film.binding) return { ...asItIs, provenance: { due_at: dueAt } }
  try {
    const target = `${file}.signed`
    const signed = await signFilm(plan, { file, target, contentType: film.contentType, binding: film.binding })
    const thumbnailSha256 = await signPoster(plan, thumbnailFile)
    const manifestFile = signed.manifest && `${file}.c2pa`
    if (manifestFile && signed.manifest) await writeFile(manifestFile, signed.manifest)
    return {
      file: manifestFile ? file : target,
      sizeBytes: manifestFile ? film.sizeBytes : signed.sizeBytes,
      keys: { ...keys, manifestKey: manifestFile && manifestKeyOf(keys.videoKey) },
      manifestFile,
      provenance: { ...rowOf(plan, signed, app.now()), thumbnail_sha256: thumbnailSha256.toString('hex') },
    }
  } catch (error) {
    unsigned(app, { ...video, madeAt: app.now() }, error)
    return { ...asItIs, provenance: { due_at: dueAt } }
  }
}

const rowOf = ({ signerName }: SigningPlan, signed: SignedFilm, signedAt: Date): FilmProvenance => ({
  film_sha256: signed.sha256.toString('hex'),
  manifest_id: signed.manifestId,
  signer: signerName,
  signed_at: signedAt,
  is_labelled: signed.isLabelled,
})

/**
 * Signs a stored film of each part of the database that is due. One at a time: it is due again in 15 minutes, before
 * which its worker must have stored it.
 * @returns how many were due; none while no film can be signed, so that each keeps its attempts
 */
export async function signDue(app: App): Promise<number> {
  if (app.config.provenance.mode === 'off') return 0
  const now = app.now()
  // checkSigner logs why.
  if ((await openSigner(app.config, now).catch(() => null)) === null) return 0
  const due = await fromEach(app, app.database.parts(), (sql) => videosToSign(sql, { now, limit: 1 }))
  for (const film of due) {
    await signStored(app, film).catch((err: unknown) =>
      app.log.error({ err, ...idsOf(app, film) }, 'a stored film could not be signed; the sweep tries again'),
    )
  }
  return due.length
}

/**
 * Signs a stored film in its place: the same keys, so every link of it stays. The id of the manifest is recorded
 * before, by which a worker recognises what one that died has signed.
 */
async function signStored(app: App, film: FilmToSign): Promise<void> {
  const plan = await planSigning(app, film)
  if (!plan) return
  // Not by the manifest: a worker that was killed may have left its half there.
  const dir = path.join(temporaryDir(app.config.dataDir), `${film.id}-${randomUUID()}`)
  const file = path.join(dir, 'film')
  const thumbnailFile = path.join(dir, 'thumbnail.jpg')
  const signal = AbortSignal.timeout(DOWNLOAD_MS)
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    if (!(await download(app, film.videoKey, file, signal))) return
    if (!(await download(app, film.thumbnailKey, thumbnailFile, signal))) return
    const signed = await signAgain(plan, film, file)
    const thumbnailSha256 = await signPoster(plan, thumbnailFile)
    app.crashPoint('provenance.signed')
    signal.throwIfAborted()
    const keys = { ...film, manifestKey: signed.manifest ? manifestKeyOf(film.videoKey) : (film.manifestKey ?? null) }
    if (signed.manifest && keys.manifestKey) {
      await writeFile(`${file}.c2pa`, signed.manifest)
      await app.storage.put(keys.manifestKey, `${file}.c2pa`, contentTypeOf(keys.manifestKey))
    }
    if (signed.isNew) await app.storage.put(film.videoKey, `${file}.signed`, contentTypeOf(film.videoKey))
    app.crashPoint('provenance.film-stored')
    await app.storage.put(film.thumbnailKey, thumbnailFile, 'image/jpeg')
    app.crashPoint('provenance.poster-stored')
    const provenance = { ...rowOf(plan, signed, app.now()), thumbnail_sha256: thumbnailSha256.toString('hex') }
    const outcome = await videoSigned(app.sql, {
      ...keys,
      videoId: film.id,
      sizeBytes: signed.sizeBytes,
      provenance,
      now: app.now(),
    })
    app.crashPoint('provenance.recorded')
    // Retention or a deletion has removed the files meanwhile, and this worker has put them back.
    if (outcome === 'gone') for (const key of keysOf(keys)) await app.storage.remove(key)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** @returns what is to be stored; `isNew` false: the film stays as it is */
async function signAgain(plan: SigningPlan, film: FilmToSign, file: string): Promise<SignedFilm & { isNew: boolean }> {
  const { userId, manifestId } = film
  const sizeBytes = (await stat(file)).size
  const request = bindingRequestOf(plan, sizeBytes)
  const { binding, film: facts } = await bindInspectedFilm(file, { userId, binding: request })
  if (binding.manifests && activeLabel(binding.manifests) === labelOfManifest(manifestId)) {
    const sha256 = await sha256Of(file)
    return { manifestId, sha256, sizeBytes, manifest: null, isLabelled: plan.label !== null, isNew: false }
  }
  const signed = await signFilm(plan, {
    file,
    target: `${file}.signed`,
    contentType: facts.contentType,
    binding,
    id: manifestId,
  })
  return signed.manifest ? { ...signed, sizeBytes, isNew: false } : { ...signed, isNew: true }
}

/** @returns false: storage has no such file */
async function download({ storage }: App, key: string, file: string, signal: AbortSignal): Promise<boolean> {
  const chunks = await storage.read(key, signal)
  if (!chunks) return false
  await writeFile(file, chunks, { mode: 0o600 })
  return true
}

async function sha256Of(file: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest()
}
