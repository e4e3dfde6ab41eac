/** The form of the shot after a film: its settings, changed by what the user wants of it. Loaded on demand. */
import { type ListedVideo, queryClient, videoQuery } from '../api.ts'
import { fieldAt, type Model } from './form-fields.ts'
import { type Draft, type DraftInput, draftOf } from './form-values.ts'
import { startingAtLastFrame } from './last-frame.ts'

export type NextShot = 'again' | 'variation' | 'extend' | 'lastFrame' | 'edit'

/** @param model that makes the shot; left out: that of the film */
export async function draftOfShot(video: ListedVideo, shot: NextShot, model?: Model): Promise<Draft> {
  const own = draftOf(await queryClient.fetchQuery(videoQuery(video.uuid)))
  const draft = { ...own, ...(model && { model: model.id }) }
  const film: DraftInput[] = [{ kind: 'film', video: video.uuid, seconds: video.duration }]
  switch (shot) {
    case 'again':
      return draft
    case 'variation':
      return model ? withNewSeed(draft, model) : draft
    case 'extend':
      return { ...draft, mode: 'extend', inputs: { film } }
    case 'lastFrame':
      return model && video.videoUrl ? await startingAtLastFrame(own, video.videoUrl, model.id) : own
    case 'edit':
      // Its prompt says what is in it, and not what is to change.
      return { ...draft, prompt: '', mode: 'edit', inputs: { film } }
  }
}

/** Not for secrecy: any number of the range will do. */
function withNewSeed(draft: Draft, { id, schema }: Model): Draft {
  const values = fieldAt(schema, ['seed'], { model: id })?.values
  if (values?.kind !== 'range') return draft
  const { from, to } = values.range
  return { ...draft, fields: { ...draft.fields, seed: from + Math.floor(Math.random() * (to - from + 1)) } }
}
