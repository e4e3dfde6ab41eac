/**
 * The inputs of a request and of a video: what they lead to. Invariant: a link of ours is used by the owner of its
 * asset alone, and a host name of another site leads to a public address, before anything is frozen.
 */

import { type Reader, subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { assetDueAt, extendAsset } from '../asset/asset.ts'
import { assetIdOf, assetLink, isOwnFileLink, linkForProvider, readAssetLink } from '../asset/asset-link.ts'
import type { RoleUse } from '../catalogue/constraints.ts'
import type { Facts, Known } from '../catalogue/inputs.ts'
import { invalid } from '../catalogue/refusal.ts'
import { part } from '../db/call.ts'
import { AppError } from '../errors.ts'
import {
  assetNameOf,
  type Given,
  type Input,
  isLink,
  type Kind,
  keyIn,
  kindOf,
  nameIn,
  nameOf,
  nounOf,
  ofAsset,
  ofVideo,
  type Role,
  type ShownInput,
  videoIn,
} from '../film/inputs.ts'
import { INPUT_URL_CHARACTERS_MAX } from '../film/limits.ts'
import { isUuid } from '../id.ts'
import { FetchError } from '../net/fetch-error.ts'
import { readSourceFilm, type SourceFilm } from './source-film.ts'

/** The user waits for the response; a name that takes longer is left to the worker, which checks it again. */
const RESOLVE_TIMEOUT_MS = 3_000

/**
 * An input as it was read. `isLinkExpired`: of an asset's link. `film`: of a video. `isOfCast`: one of several of a
 * name.
 */
export type Resolved = Known & { isLinkExpired?: boolean; film?: SourceFilm; isOfCast?: boolean }

type AssetRow = {
  id: string
  key: string
  kind: Kind
  name: string | null
  subject: string | null
  width: number | null
  height: number | null
  durationS: number | null
  sizeBytes: number
  quality: string | null
  aspectRatio: string | null
}

/**
 * Reads what the inputs of the caller lead to: assets by their links, ids or names, and films of videos. A link to
 * another site stays as it is.
 * @throws AppError INVALID_REQUEST for a link of ours that leads to no asset of the caller; NOT_FOUND, CONFLICT
 */
export async function readInputs(app: App, reader: Reader, sent: readonly Given[]): Promise<Resolved[]> {
  const given = sent.map((input) => withVideo(app, input))
  const links = given.map((input) => ownLinkIn(app, reader, input))
  const named = given.map(
    ({ source }, i) => nameIn(source) ?? (assetIdOf(links[i]?.key ?? keyIn(source) ?? '') || null),
  )
  const all = await readAssets(
    app,
    reader,
    named.flatMap((name) => name ?? []),
  )
  const rows = all.filter((row) => isOfSubject(reader, row))
  const found = given.map(async (input, i): Promise<Resolved[]> => {
    const [link, name] = [links[i], named[i] ?? null]
    const own = name === null ? [] : rows.filter((row) => isNamed(reader, row, name))
    if (link) {
      const [row] = own
      // A link that was given lets a browser token use the asset; one of another subject is as another user's.
      if (!row && all.some(({ key }) => key === link.key)) throw notOwn(input)
      return [{ ...withAsset(input, row), source: ofAsset(link.key), isLinkExpired: link.isExpired }]
    }
    if (name !== null) {
      if (own.length === 0) throw notFoundAsset(input, name)
      const used = input.role === 'reference' ? own : own.slice(0, 1)
      const isOfCast = used.length > 1
      return used.map((row) => ({ ...withAsset(input, row), source: ofAsset(row.key), ...(isOfCast && { isOfCast }) }))
    }
    const videoId = videoIn(input.source)
    if (videoId === null) return [input]
    const film = await readSourceFilm(app, reader, { videoId, input })
    return [{ ...input, film, facts: factsOfFilm(film, app.now()) }]
  })
  return (await Promise.all(found)).flat()
}

/** What of a name a mode does not take is left out, of each kind and of all, the last ones first. */
export function cutToCount<I extends Pick<Resolved, 'role' | 'kind' | 'isOfCast'>>(
  inputs: readonly I[],
  { to, kinds, most }: RoleUse,
): I[] {
  const taken = inputs.filter(({ role, isOfCast }) => role === 'reference' && !isOfCast)
  return inputs.filter((input) => {
    if (!input.isOfCast) return true
    const same = taken.filter(({ kind }) => kind === input.kind)
    const fits = kinds.includes(input.kind) && same.length < (most?.[input.kind] ?? to) && taken.length < to
    if (fits) taken.push(input)
    return fits
  })
}

/** A link to the film of a video, as responses have it, names the video: a caller passes on what was returned. */
function withVideo(app: App, input: Given): Given {
  const video = input.role === 'reference' || kindOf[input.role] === 'film' ? videoOfLink(app, input.source) : null
  return video === null ? input : { ...input, kind: 'film', source: ofVideo(video) }
}
function videoOfLink(app: App, source: string): string | null {
  return isLink(source) && isOwnFileLink(app.config, source) ? (FILM.exec(new URL(source).pathname)?.[1] ?? null) : null
}
const FILM = /\/files\/video\/[0-9a-f-]{36}\/([0-9a-f-]{36})\.[\w.-]+$/

/** Null: the source is no link of ours. @throws AppError INVALID_REQUEST for one that is forged, or of another user */
function ownLinkIn(app: App, reader: Reader, input: Given) {
  if (!isLink(input.source) || !isOwnFileLink(app.config, input.source)) return null
  const link = readAssetLink(app, input.source)
  // A forged link and another user's asset get the same error: a link lets its holder read an asset, not use it.
  if (link?.userId !== reader.userId) throw notOwn(input)
  return link
}

/** @param names ids and names of assets */
async function readAssets({ sql }: App, { userId }: Reader, names: readonly string[]): Promise<AssetRow[]> {
  if (names.length === 0) return []
  const film = { ordered: sql`null::text`, width: sql`width`, height: sql`height` }
  return await sql<AssetRow[]>`
    select id, key, kind, name, subject, width, height, duration_s, size_bytes,
           ${part(sql, 'film_quality', film)} as quality, ${part(sql, 'film_aspect_ratio', film)} as aspect_ratio
    from kinora.asset
    where user_id = ${userId} and (id = any(${names.filter(isUuid)}::uuid[]) or name = any(${names.map(assetNameOf)}::text[]))
      and state = 'kept'
    order by id
  `
}

/** Whether the caller may use an asset: a browser token one of its subject, or of none. */
function isOfSubject(reader: Reader, { subject }: AssetRow): boolean {
  const own = subjectOf(reader)
  return own === null || subject === null || subject === own
}

/** Visitors of a site name assets of their own: their names mean nothing to its owner, nor the owner's to them. */
const isNamed = (reader: Reader, { id, name, subject }: AssetRow, wanted: string): boolean =>
  isUuid(wanted) ? id === wanted.toLowerCase() : name === assetNameOf(wanted) && subject === subjectOf(reader)

function withAsset(input: Given, row: AssetRow | undefined): Resolved {
  if (!row) return input
  const { kind, name, width, height, durationS, sizeBytes, key, quality, aspectRatio } = row
  const format = key.split('.').at(-1) ?? ''
  const shape = kind === 'film' && quality !== null && aspectRatio !== null ? { quality, aspectRatio } : {}
  const facts = { seconds: durationS, width, height, bytes: sizeBytes, format, ...shape }
  return { ...input, kind, facts, ...(name !== null && { name }) }
}

const factsOfFilm = ({ durationS, width, height, sizeBytes, key, ...film }: SourceFilm, now: Date): Facts => ({
  ...{ seconds: durationS, width, height, bytes: sizeBytes, format: key.split('.').at(-1) ?? '' },
  ...{ quality: film.quality, aspectRatio: film.aspectRatio, prompt: film.prompt },
  ...{ account: film.account, model: film.model, ageDays: (now.getTime() - film.createdAt.getTime()) / DAY_MS },
})
const DAY_MS = 86_400_000

/**
 * Checks the links to other sites among the inputs: their form, and the address of their host.
 * @throws AppError INVALID_REQUEST
 */
export async function checkLinks(app: App, inputs: readonly Resolved[]): Promise<void> {
  await Promise.all(inputs.map((input) => (isForeign(input) ? checkLink(app, input) : undefined)))
}
const isForeign = ({ source }: Input): boolean => videoIn(source) === null && keyIn(source) === null

async function checkLink(app: App, input: Given): Promise<void> {
  const { source, path } = input
  const isStorable = [...source].length <= INPUT_URL_CHARACTERS_MAX && !source.includes('\0')
  if (!isStorable || !URL.canParse(source)) {
    const message = `The ${fieldOf(input)} must be an absolute https URL of at most ${INPUT_URL_CHARACTERS_MAX} characters.`
    throw problem(path, message)
  }
  try {
    app.userFetch.checkUrl(source)
  } catch (error) {
    throw unusable(input, error as FetchError)
  }
  const refusal = await hostRefusal(app, source)
  if (refusal) throw unusable(input, refusal)
}

/** The stored form of a link that may be ours; another one as it is. */
export function sourceOf(app: App, source: string): string {
  const video = videoOfLink(app, source)
  if (video !== null) return ofVideo(video)
  const link = isLink(source) && isOwnFileLink(app.config, source) ? readAssetLink(app, source) : null
  return link ? ofAsset(link.key) : source
}

/** The ids of the assets among inputs; null: none. */
function assetIdsOf(inputs: readonly Input[] | null | undefined): string[] | null {
  const ids = new Set((inputs ?? []).flatMap(({ source }) => assetIdOf(keyIn(source) ?? '') || []))
  return ids.size > 0 ? [...ids] : null
}

/** The assets among inputs, to be kept for a while; null: none. */
export function assetsOf(inputs: readonly Resolved[], now: Date) {
  const ids = assetIdsOf(inputs)
  return ids && { ids, isLinkExpired: inputs.some((each) => each.isLinkExpired), dueAt: assetDueAt(now) }
}

/** Keeps the assets of a request for a while. @throws AppError INVALID_REQUEST that names the one that is gone */
export async function keepAssets(app: App, userId: string, inputs: readonly Resolved[]): Promise<void> {
  const dueAt = assetDueAt(app.now())
  for (const input of inputs) {
    const key = keyIn(input.source)
    if (key === null) continue
    if (input.isLinkExpired) throw linkExpired(inputs)
    if (!(await extendAsset(app.sql, { userId, assetId: assetIdOf(key), dueAt }))) throw assetGone(input, inputs)
  }
}

/** The reason to refuse the host of a link; null while the resolver does not answer, which the worker waits for. */
async function hostRefusal(app: App, link: string): Promise<FetchError | null> {
  try {
    await app.userFetch.checkHost(link, RESOLVE_TIMEOUT_MS)
    return null
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return error.retryable ? null : error
  }
}

/** What the owner is shown of a source: the link of another site, or a newly signed one to the asset. */
export const linkForOwner = (app: App, source: string): string | null => {
  const key = keyIn(source)
  return key !== null ? assetLink(app, key).url : videoIn(source) === null ? source : null
}

/** What a provider gets of a source: the link of another site, or one that is signed now; null for a video. */
export const sourceForProvider = (app: App, source: string): string | null => {
  const key = keyIn(source)
  return key !== null ? linkForProvider(app, key) : videoIn(source) === null ? source : null
}

/** The inputs of a video for its owner. */
export function shownInputs(app: App, inputs: readonly Input[] | null): ShownInput[] | null {
  return (
    inputs?.map(({ role, kind, source, at = null }) => ({
      role,
      kind,
      asset: assetIdOf(keyIn(source) ?? '') || null,
      video: videoIn(source),
      url: linkForOwner(app, source),
      at,
    })) ?? null
  )
}

/** The links of the pictures of a video for its owner, by the fields of a request that name them. */
export function picturesForOwner(app: App, inputs: readonly Input[] | null) {
  const links = (role: Role) =>
    (inputs ?? []).flatMap((each) =>
      each.role === role && each.kind === 'image' ? (linkForOwner(app, each.source) ?? []) : [],
    )
  const references = links('reference')
  return {
    startImageUrl: links('start')[0] ?? null,
    endImageUrl: links('end')[0] ?? null,
    referenceImageUrls: references.length > 0 ? references : null,
  }
}

/** The inputs of a video as a request of its owner names them. */
export const givenAgain = (inputs: readonly Input[]) =>
  inputs.map(({ role, kind, source, at }) => {
    const [asset, video] = [assetIdOf(keyIn(source) ?? ''), videoIn(source)]
    const named = asset
      ? { asset }
      : video !== null
        ? { video }
        : { url: source, ...(role === 'reference' && { kind }) }
    return { role, ...named, ...(at !== undefined && { at }) }
  })

/** @returns the error that names the asset of a request that is not kept any more */
export async function goneAsset(app: App, reader: Reader, inputs: readonly Resolved[]): Promise<AppError> {
  const kept = await readAssets(app, reader, assetIdsOf(inputs) ?? [])
  const gone = inputs.find(({ source }) => {
    const key = keyIn(source)
    return key !== null && !kept.some((row) => row.key === key)
  })
  return assetGone(gone ?? (inputs[0] as Resolved), inputs)
}

/** What a message calls an input: the caller's own field, or the words of its role. */
const fieldOf = (input: Given): string => (input.path.startsWith('inputs.') ? nameOf(input, [input]) : input.path)

export const linkExpired = (inputs: readonly Resolved[]) => {
  const input = inputs.find(({ isLinkExpired }) => isLinkExpired)
  const name = input ? nameOf(input, inputs) : 'input'
  return problem(input?.path ?? 'inputs', `The link to the ${name} has expired; upload it again.`)
}
export const assetGone = (input: Given, all: readonly Given[]) =>
  problem(input.path, `The ${nameOf(input, all)} is no longer kept; upload it again.`)
const notOwn = (input: Given) =>
  problem(input.path, `The ${fieldOf(input)} is not a link to an asset of yours; upload it first.`)
function notFoundAsset(input: Given, name: string): AppError {
  const message = `You have no asset ${name.slice(0, 60)}, for the ${nounOf(input.role, input.kind)}.`
  return new AppError('NOT_FOUND', message, { details: [{ path: input.path, message }] })
}
const unusable = (input: Given, { code, message }: FetchError) => {
  const why = code === 'ADDRESS_REFUSED' ? message.replace(/\.$/, '; upload the file instead.') : message
  return problem(input.path, `The ${fieldOf(input)} cannot be used: ${why}`)
}
const problem = (path: string, message: string) => invalid('INVALID_REQUEST', path, message)
