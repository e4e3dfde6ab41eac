/**
 * What one does with a finished film: go on from it, upscale, compare, download, share, publish. What its model cannot
 * do, or the user may not, is not shown.
 */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import { type ListedVideo, queryClient, videoQuery } from '../api.ts'
import { FrameButton } from '../cast/frame-button.tsx'
import { FavouriteButton } from '../library/favourite-button.tsx'
import { useModelNames } from '../model-name.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { toast } from '../ui/toasts.tsx'
import { downloadUrl } from '../video/unplayable-film.tsx'
import { fieldAt, type Model, modesOf } from './form-fields.ts'
import { type Draft, type DraftInput, draftOf } from './form-values.ts'
import type { ShotOf } from './generate.ts'
import { UpscaleButton } from './upscale-button.tsx'

/** Loaded on demand: no page of a first load has a dialog. */
const ShareDialog = lazy(() =>
  import('../library/share-dialog.tsx').then(({ ShareDialog }) => ({ default: ShareDialog })),
)
const PublishDialog = lazy(() =>
  import('../explore/publish-dialog.tsx').then(({ PublishDialog }) => ({ default: PublishDialog })),
)

/** The mode of a film that begins with a picture. */
export const ANIMATE = 'image-to-video'

type Props = {
  video: ListedVideo
  models: Model[]
  onDraft: (draft: Draft) => void
  onCreated: (uuids: string[]) => void
  /** New films are takes of it. */
  shot?: ShotOf | undefined
  /** Absent while there is no other film. */
  onCompare?: () => void
  /** Absent for a film that was made alone. */
  onSet?: () => void
}

export function FilmActions({ video, models, onDraft, onCreated, shot, onCompare, onSet }: Props) {
  const { uuid, videoUrl, prompt } = video
  const nameOf = useModelNames()
  const isMaker = isAtLeast(useTeam(), 'maker')
  const mayChange = useMayChange()(video)
  const [open, setOpen] = useState<'share' | 'publish' | null>(null)
  const model = models.find(({ id }) => id === video.model)
  const seed = model ? fieldAt(model.schema, ['seed'], { model: model.id }) : null
  const modelsWith = (mode: string) => models.filter((each) => modesOf(each).some(({ name }) => name === mode))
  const [extending, editing, animating] = [modelsWith('extend'), modelsWith('edit'), modelsWith(ANIMATE)]
  const ofFilm: DraftInput = { kind: 'film', video: uuid, seconds: video.duration }
  const start = useSingleFlight({
    mutationFn: async (change: (draft: Draft) => Draft | Promise<Draft>) => {
      const own = draftOf(await queryClient.fetchQuery(videoQuery(uuid)))
      return { own, next: await change(own) }
    },
    onSuccess: ({ own, next }) => {
      onDraft(next)
      if (next.model !== undefined && next.model !== own.model)
        toast({ text: t`${nameOf(video.model) ?? ''} cannot do this: ${nameOf(next.model) ?? ''} is chosen.` })
      // The focus would stay at the film, far from the form.
      document.querySelector<HTMLElement>('textarea[name="prompt"]')?.focus()
    },
    onError: (error) => toast({ text: error.message }),
  })
  /** The film's model, or the first of those that can do it. */
  const ableModel = (able: Model[]) => (able.find(({ id }) => id === video.model) ?? able[0])?.id ?? video.model
  return (
    <>
      <Button onClick={() => start.mutate((draft) => draft)}>{t`Reuse settings`}</Button>
      {seed?.values.kind === 'range' ? (
        <Button onClick={() => start.mutate((draft) => withNewSeed(draft, seed.values))}>{t`Variation`}</Button>
      ) : null}
      {videoUrl && extending.length > 0 ? (
        <Button
          onClick={() =>
            start.mutate((draft) => ({
              ...draft,
              model: ableModel(extending),
              mode: 'extend',
              inputs: { film: [ofFilm] },
            }))
          }
        >
          {t`Extend`}
        </Button>
      ) : null}
      {videoUrl && editing.length > 0 ? (
        <Button
          onClick={() =>
            // Its prompt says what is in it, and not what is to change.
            start.mutate((draft) => ({
              ...draft,
              prompt: '',
              model: ableModel(editing),
              mode: 'edit',
              inputs: { film: [ofFilm] },
            }))
          }
        >
          {t`Edit`}
        </Button>
      ) : null}
      <UpscaleButton {...{ video, onCreated, shot }} />
      {videoUrl && isMaker && animating.length > 0 ? (
        <Button
          busy={start.isPending}
          title={t`Last frame as start image`}
          onClick={() => start.mutate((draft) => startingAtLastFrame(draft, videoUrl, ableModel(animating)))}
        >
          {t`Use last frame`}
        </Button>
      ) : null}
      {videoUrl && isMaker ? <FrameButton uuid={uuid} videoUrl={videoUrl} /> : null}
      {mayChange ? <FavouriteButton isSmall video={video} /> : null}
      {onSet ? <Button onClick={onSet}>{t`Show the set`}</Button> : null}
      {onCompare ? <Button onClick={onCompare}>{t`Compare…`}</Button> : null}
      {videoUrl ? (
        <a className={buttonClass('plain')} href={downloadUrl(videoUrl, prompt)} download>
          {t`Download`}
        </a>
      ) : null}
      {videoUrl && mayChange ? (
        <>
          <Button onClick={() => setOpen('share')}>{t`Share`}</Button>
          {site.hasExplore ? <Button onClick={() => setOpen('publish')}>{t`Publish`}</Button> : null}
        </>
      ) : null}
      <Suspense>
        {open === 'share' ? <ShareDialog uuid={uuid} onClose={() => setOpen(null)} /> : null}
        {open === 'publish' ? <PublishDialog uuid={uuid} onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </>
  )
}

/** Not for secrecy: any number of the range will do. */
function withNewSeed(draft: Draft, values: NonNullable<ReturnType<typeof fieldAt>>['values']): Draft {
  if (values.kind !== 'range') return draft
  const { from, to } = values.range
  return { ...draft, fields: { ...draft.fields, seed: from + Math.floor(Math.random() * (to - from + 1)) } }
}

/** @param seconds of the frame, where the last one is not the film's */
export async function startingAtLastFrame(
  draft: Draft,
  videoUrl: string,
  model: string,
  seconds = Number.POSITIVE_INFINITY,
): Promise<Draft> {
  const { frameOf, frameUnreadableText } = await import('../video/film-frame.ts')
  const frame = await frameOf(videoUrl, seconds)
  const { uploadFile } = await import('./upload-file.ts')
  if (frame) return { ...draft, model, mode: ANIMATE, inputs: { start: [await uploadFile(frame)] } }
  toast({ text: frameUnreadableText() })
  return draft
}
