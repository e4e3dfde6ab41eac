/** The settings of a shot, as the API keeps them, and as the generate form has them. */
import type { Schemas } from '@kinora/client'
import { useQueries } from '@tanstack/react-query'
import { memberNameIn } from '../cast/references.ts'
import { assetQuery } from '../studio/asset-file.ts'
import { readDraft } from '../studio/draft.ts'
import type { Model } from '../studio/form-fields.ts'
import { ANY_LINK, type Draft, type DraftInput, fit, type Kind, modelOf, requestBody } from '../studio/form-values.ts'
import type { Project, ShotSettings } from './queries.ts'

type Input = Schemas['Input']

/** What a shot keeps of a draft: a request without the inputs that it still lacks, and without how many takes. */
export function settingsOf(draft: Draft, models: Model[]): ShotSettings {
  const model = modelOf(draft, models)
  if (!model) return {}
  const { n: _, inputs = [], ...body } = requestBody(fit(draft, model)) as ShotSettings & { n?: number }
  const given = inputs.filter(({ url }) => url !== ANY_LINK)
  return { ...body, ...(given.length > 0 && { inputs: given }) }
}

/** @param kinds of the assets among the inputs, by their ids */
export function draftOfSettings(settings: ShotSettings, kinds: ReadonlyMap<string, Kind> = new Map()): Draft {
  const { prompt, model, mode, inputs = [], options, ...rest } = settings
  const { startImageUrl, endImageUrl, referenceImageUrls, extendFrom, upscaleFrom: _, ...fields } = rest
  // The API has other names for some inputs, which a program may have sent.
  const named: Input[] = [
    ...(startImageUrl === undefined ? [] : [{ role: 'start' as const, url: startImageUrl }]),
    ...(endImageUrl === undefined ? [] : [{ role: 'end' as const, url: endImageUrl }]),
    ...(referenceImageUrls ?? []).map((url) => ({ role: 'reference' as const, url })),
    ...(extendFrom === undefined ? [] : [{ role: 'film' as const, video: extendFrom }]),
  ]
  const byRole: Record<string, DraftInput[]> = {}
  for (const { role, ...input } of [...inputs, ...named]) {
    const kind = input.kind ?? kinds.get(input.asset ?? '') ?? (input.video ? 'film' : kindOf[role])
    byRole[role] = [...(byRole[role] ?? []), { ...input, kind }]
  }
  return {
    ...(prompt !== undefined && { prompt }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    fields: { ...fields, ...options },
    inputs: byRole,
  }
}

/** Of a reference: where its asset does not say. */
const kindOf: Record<Input['role'], Kind> = {
  start: 'image',
  end: 'image',
  keyframe: 'image',
  reference: 'image',
  film: 'film',
  motion: 'film',
  sound: 'sound',
  portrait: 'image',
}

/** Reads what the references are: an image, a film or a sound. @returns null until that is known */
export function useAssetKinds({ inputs = [] }: ShotSettings): ReadonlyMap<string, Kind> | null {
  const ids = inputs.flatMap(({ role, asset }) =>
    role === 'reference' && asset && memberNameIn({ kind: 'image', asset }) === null ? [asset] : [],
  )
  const assets = useQueries({ queries: [...new Set(ids)].map((id) => ({ ...assetQuery(id), retry: false })) })
  if (assets.some(({ isPending }) => isPending)) return null
  return new Map(assets.flatMap(({ data }) => (data ? [[data.id, data.kind] as const] : [])))
}

/**
 * The model and the options of the last shot, or of the form that the user has in the studio.
 * @param seconds a wish, of which the model makes the nearest; null: the length of the last shot too
 */
export function settingsForNew(
  project: Project,
  models: Model[],
  userId: string,
  seconds: number | null = null,
): ShotSettings {
  const last = project.shots.at(-1)
  const { model, fields } = last ? draftOfSettings(last.settings) : readDraft(userId)
  const { seed: _, ...kept } = fields ?? {}
  const length = seconds === null ? {} : { duration: seconds }
  const draft = { ...(model && { model }), fields: { ...kept, ...length, aspectRatio: project.aspectRatio } }
  return settingsOf(draft, models)
}
