/**
 * What one does with a film: the next shot, keep, send. One component for the stage, a set, the library and the film's
 * page. What its model cannot do, or the user may not, is not shown.
 */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type ListedVideo, modelsQuery } from '../api.ts'
import { FrameButton } from '../cast/frame-button.tsx'
import { isCut } from '../cuts.ts'
import { FavouriteButton } from '../library/favourite-button.tsx'
import { useModelNames } from '../model-name.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { toast } from '../ui/toasts.tsx'
import { TryAgainLink } from '../video/try-again-link.tsx'
import { downloadUrl } from '../video/unplayable-film.tsx'
import { CancelButton, isCancellable } from './cancel-button.tsx'
import { saveDraft } from './draft.ts'
import styles from './film-actions.module.css'
import { ANIMATE, fieldAt, type Model, modesOf } from './form-fields.ts'
import { availableModels, type Draft } from './form-values.ts'
import type { ShotOf } from './generate.ts'
import type { NextShot as Next } from './next-shot.ts'
import { UpscaleButton } from './upscale-button.tsx'

/** Loaded on demand: no page of a first load has a dialog. */
const ShareDialog = lazy(() =>
  import('../library/share-dialog.tsx').then(({ ShareDialog }) => ({ default: ShareDialog })),
)
const PublishDialog = lazy(() =>
  import('../explore/publish-dialog.tsx').then(({ PublishDialog }) => ({ default: PublishDialog })),
)

type Props = {
  video: ListedVideo
  /** In lines below a film, in which the groups have no titles; or with them, each a line of its own. */
  isTitled?: boolean
  /** Of the studio's page, which shows the draft; elsewhere the draft is kept, and the page opened. */
  onDraft?: ((draft: Draft) => void) | undefined
  /** A larger copy was made. */
  onCreated: (uuids: string[]) => void
  /** New films are takes of it. */
  shot?: ShotOf | undefined
  /** The form has what was chosen. */
  onStarted?: (() => void) | undefined
  /** What else belongs to the group. */
  keep?: ReactNode
  send?: ReactNode
}

export function FilmActions({ video, isTitled = false, onDraft, onCreated, onStarted, shot, keep, send }: Props) {
  const { uuid, status, videoUrl, prompt } = video
  const mayChange = useMayChange()(video)
  const [open, setOpen] = useState<'share' | 'publish' | null>(null)
  return (
    <div className={styles.groups} data-titled={isTitled}>
      {mayChange && isCancellable(status) ? (
        <div className={styles.group}>
          <CancelButton uuid={uuid} status={status} />
        </div>
      ) : null}
      {isCut(video) ? null : (
        <Group title={t`Next shot`} isTitled={isTitled}>
          <NextShot {...{ video, onDraft, onCreated, onStarted, shot }} />
        </Group>
      )}
      <Group title={t({ message: 'Keep', context: 'what one does with a film' })} isTitled={isTitled}>
        {mayChange ? <FavouriteButton isSmall video={video} /> : null}
        {videoUrl ? (
          <a className={buttonClass(isTitled ? 'primary' : 'plain')} href={downloadUrl(videoUrl, prompt)} download>
            {t`Download`}
          </a>
        ) : null}
        {keep}
      </Group>
      {videoUrl ? (
        <Group title={t({ message: 'Send', context: 'what one does with a film' })} isTitled={isTitled}>
          {mayChange ? (
            <>
              <Button onClick={() => setOpen('share')}>{t`Share`}</Button>
              {site.hasExplore ? <Button onClick={() => setOpen('publish')}>{t`Publish`}</Button> : null}
            </>
          ) : null}
          {send}
        </Group>
      ) : null}
      <Suspense>
        {open === 'share' ? <ShareDialog uuid={uuid} onClose={() => setOpen(null)} /> : null}
        {open === 'publish' ? <PublishDialog uuid={uuid} onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </div>
  )
}

const Group = ({ title, isTitled, children }: { title: string; isTitled: boolean; children: ReactNode }) => (
  <section className={styles.group} aria-label={title}>
    {isTitled ? <h2 className={styles.title}>{title}</h2> : null}
    {children}
  </section>
)

type NextProps = Pick<Props, 'video' | 'onDraft' | 'onCreated' | 'onStarted' | 'shot'>

function NextShot({ video, onDraft, onCreated, onStarted, shot }: NextProps) {
  const { uuid, videoUrl, failure } = video
  const isMaker = isAtLeast(useTeam(), 'maker')
  const models = availableModels(useQuery(modelsQuery).data?.models ?? [])
  const start = useStart(video, onDraft, onStarted)
  const model = models.find(({ id }) => id === video.model)
  const hasSeed = model && fieldAt(model.schema, ['seed'], { model: model.id })?.values.kind === 'range'
  const can = (each: Model, mode: string) => modesOf(each).some(({ name }) => name === mode)
  /** The film's model, or the first of those that can do it. */
  const ableTo = (mode: string) => (model && can(model, mode) ? model : models.find((each) => can(each, mode)))
  const [editing, animating] = [ableTo('edit'), ableTo(ANIMATE)]
  return (
    <>
      {failure || !onDraft ? (
        <TryAgainLink video={video} className={buttonClass(failure ? 'primary' : 'plain')} />
      ) : (
        <Button onClick={() => start.mutate(['again'])}>{t`Reuse settings`}</Button>
      )}
      {videoUrl && hasSeed ? <Button onClick={() => start.mutate(['variation', model])}>{t`Variation`}</Button> : null}
      {videoUrl && model && can(model, 'extend') ? (
        <Button onClick={() => start.mutate(['extend', model])}>{t`Extend`}</Button>
      ) : videoUrl && isMaker && animating ? (
        <Button
          busy={start.isPending}
          title={t`Last frame as start image`}
          onClick={() => start.mutate(['lastFrame', animating])}
        >
          {t`Use last frame`}
        </Button>
      ) : null}
      {videoUrl && editing ? <Button onClick={() => start.mutate(['edit', editing])}>{t`Edit`}</Button> : null}
      <UpscaleButton {...{ video, onCreated, shot }} />
      {videoUrl && isMaker ? <FrameButton uuid={uuid} videoUrl={videoUrl} /> : null}
    </>
  )
}

/** Begins a film with the settings of another one, changed. */
function useStart(video: ListedVideo, onDraft: Props['onDraft'], onStarted: Props['onStarted']) {
  const { user } = useSignedIn()
  const navigate = useNavigate()
  const nameOf = useModelNames()
  return useSingleFlight({
    mutationFn: async ([shot, model]: [Next, Model?]) =>
      (await import('./next-shot.ts')).draftOfShot(video, shot, model),
    onSuccess: async (draft) => {
      onStarted?.()
      if (onDraft) onDraft(draft)
      else {
        saveDraft(user.id, draft)
        await navigate({ to: '/' })
      }
      if (draft.model !== undefined && draft.model !== video.model)
        toast({ text: t`${nameOf(video.model) ?? ''} cannot do this: ${nameOf(draft.model) ?? ''} is chosen.` })
      // The focus would stay at the film, far from the form.
      document.querySelector<HTMLElement>('textarea[name="prompt"]')?.focus()
    },
    onError: (error) => toast({ text: error.message }),
  })
}
