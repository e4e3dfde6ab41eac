/** What this service knows of a file by its bytes: whether, by which model, and from what it was made. */
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { fromEach } from '../db/parts.ts'
import { contentTypeOf } from '../storage/key.ts'
import type { ClaimedVideo } from './transitions.ts'

export type ProvenanceRecord = {
  kind: 'film' | 'poster'
  /** The public name of the model. */
  model: string
  madeAt: Date
  signed: boolean
  signer: string | null
  /** `madeHere`: an earlier film of this service. */
  ingredients: { relationship: 'parent' | 'input'; contentType: string | null; madeHere: boolean }[]
}

type Found = Pick<
  ClaimedVideo,
  'model' | 'startImageUrl' | 'endImageUrl' | 'referenceImageUrls' | 'extendedFrom' | 'upscaledFrom'
> & { kind: ProvenanceRecord['kind']; madeAt: Date; signedAt: Date | null; signer: string | null }

/** @param sha256 in hexadecimal. @returns null: no file that is or was stored here has it */
export async function findProvenance(
  app: Pick<App, 'database' | 'log'>,
  sha256: string,
): Promise<ProvenanceRecord | null> {
  const bytes = Buffer.from(sha256, 'hex')
  const [found] = await fromEach(
    app,
    app.database.parts(),
    (sql) => sql<Found[]>`
      select f.kind, v.model, v.completed_at as made_at, f.signed_at, f.signer, v.start_image_url, v.end_image_url,
             v.reference_image_urls, v.extended_from, v.upscaled_from
      from (
        select 'film' as kind, user_id, video_id, signed_at, signer from kinora.video_provenance where film_sha256 = ${bytes}
        union all
        select 'poster', user_id, video_id, signed_at, signer from kinora.video_provenance where thumbnail_sha256 = ${bytes}
      ) f
      join kinora.video v on v.user_id = f.user_id and v.id = f.video_id
      limit 1
    `,
  )
  if (!found) return null
  const { kind, model, madeAt, signedAt, signer } = found
  const named = everyModel().get(model)?.name ?? model
  return { kind, model: named, madeAt, signed: signedAt !== null, signer, ingredients: ingredientsOf(found) }
}

/** From the row and not from the manifest, which goes with a deleted film. */
function ingredientsOf(video: Found): ProvenanceRecord['ingredients'] {
  const pictures = [video.startImageUrl, video.endImageUrl, ...(video.referenceImageUrls ?? [])]
  const isExtension = (video.extendedFrom ?? video.upscaledFrom) !== null
  return [
    ...(isExtension ? [{ relationship: 'parent' as const, contentType: 'video/mp4', madeHere: true }] : []),
    ...pictures
      .filter((url) => url !== null)
      .map((url) => ({
        relationship: 'input' as const,
        contentType: url.startsWith('kinora:') ? contentTypeOf(url) : null,
        madeHere: false,
      })),
  ]
}
