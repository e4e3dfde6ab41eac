/** What this service knows of a file by its bytes: whether, by which model, and from what it was made. */
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { fromEach } from '../db/parts.ts'
import { type Input, keyIn, videoIn } from '../film/inputs.ts'
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

type Found = Pick<ClaimedVideo, 'model' | 'madeOf'> & {
  kind: ProvenanceRecord['kind']
  madeAt: Date
  signedAt: Date | null
  signer: string | null
}

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
      select f.kind, v.model, v.completed_at as made_at, f.signed_at, f.signer, v.made_of
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
  return { kind, model: named, madeAt, signed: signedAt !== null, signer, ingredients: recordsOf(found) }
}

/** From the row and not from the manifest, which goes with a deleted film. */
const recordsOf = ({ madeOf }: Found): ProvenanceRecord['ingredients'] =>
  ingredientsOf(madeOf).map(({ videoId, ...each }) => ({ ...each, madeHere: videoId !== null }))

/** What a film is made from. `parent`: the film that it continues or changes. `videoId`: of one that was made here. */
export const ingredientsOf = (inputs: readonly Input[] | null) =>
  (inputs ?? []).map(({ role, source }) => {
    const [videoId, key] = [videoIn(source), keyIn(source)]
    return {
      relationship: role === 'film' ? ('parent' as const) : ('input' as const),
      contentType: videoId === null ? key && contentTypeOf(key) : 'video/mp4',
      videoId,
    }
  })
