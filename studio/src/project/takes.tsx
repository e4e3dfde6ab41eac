/** The takes of a shot: one of them to see, the choice of the one that is in the film, and what follows from it. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ListedVideo } from '../api.ts'
import { deleteVideo, useDeletedUuids } from '../library/deletion.ts'
import { useModelNames } from '../model-name.ts'
import { useSingleFlight } from '../single-flight.ts'
import { FilmActions } from '../studio/film-actions.tsx'
import stripStyles from '../studio/film-strip.module.css'
import { ANIMATE, type Model, modesOf } from '../studio/form-fields.ts'
import type { Draft } from '../studio/form-values.ts'
import { startingAtLastFrame } from '../studio/last-frame.ts'
import { useTask } from '../studio/recent-query.ts'
import { Film } from '../studio/stage-film.tsx'
import { StripFrame } from '../studio/strip-frame.tsx'
import { useMayChange } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber, isFinal, statusLabels } from '../ui/format.ts'
import { EmptyState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { chosenTake } from './cut.ts'
import styles from './project.module.css'
import { addShots, type Project, type Shot } from './queries.ts'
import { settingsOf } from './shot-settings.ts'
import { TakeFace } from './take-face.tsx'
import { Trim } from './trim.tsx'
import { applyToShot } from './use-project-change.ts'

type Props = {
  project: Project
  shot: Shot
  models: Model[]
  number: number
  isMaker: boolean
  draft: Draft
  onDraft: (draft: Draft) => void
  onCreated: () => void
  onOpen: (shotId: string) => void
}

export function Takes({ project, shot, models, number, isMaker, draft, onDraft, onCreated, onOpen }: Props) {
  const deleted = useDeletedUuids()
  const takes = shot.takes.filter(({ uuid }) => !deleted.has(uuid))
  const chosen = chosenTake(shot, deleted)
  /** The newest take when it was chosen: a newer one is shown in its place. */
  const [seen, setSeen] = useState<{ uuid: string; newest: string | undefined } | null>(null)
  const newest = takes[0]
  /** One that was made while this page is open stays on it when it is there. */
  const [made, setMade] = useState<string | null>(null)
  const isRunning = newest !== undefined && !isFinal(newest.status)
  const wanted = seen && seen.newest === newest?.uuid ? takes.find(({ uuid }) => uuid === seen.uuid) : undefined
  if (isRunning && made !== newest.uuid) setMade(newest.uuid)
  const shown = wanted ?? (newest?.uuid === made ? newest : (chosen ?? newest))
  const show = (uuid: string) => setSeen({ uuid, newest: newest?.uuid })
  if (!shown)
    return (
      <EmptyState>
        {shot.takeId === null
          ? t`The takes of this shot will be here. Each is a film of its own; one of them is in the whole.`
          : t`The take that was in the film was deleted. Its settings are kept: generate another one.`}
      </EmptyState>
    )
  return (
    <>
      <div className={styles.take}>
        <Film key={shown.uuid} video={shown} isLooping={false} again={null}>
          {() => (
            <>
              {isMaker && shown.uuid !== chosen?.uuid ? (
                <Button kind="plain" onClick={() => void applyToShot(project, shot, { takeId: shown.uuid })}>
                  {t`Use this take`}
                </Button>
              ) : null}
              {isMaker ? <NextShot {...{ project, shot, models, draft, onOpen }} take={shown} /> : null}
              <FilmActions
                video={shown}
                onDraft={onDraft}
                onCreated={onCreated}
                shot={{ project: project.id, shot: shot.id }}
                keep={
                  isMaker ? <DeleteTake take={shown} isChosen={shown.uuid === chosen?.uuid} number={number} /> : null
                }
              />
            </>
          )}
        </Film>
      </div>
      {chosen && shown.uuid === chosen.uuid && chosen.videoUrl ? (
        <Trim key={chosen.uuid} {...{ project, shot, isMaker }} take={chosen} />
      ) : null}
      {takes.length > 1 ? (
        <ul className={stripStyles.films} aria-label={t`Takes of this shot`}>
          {takes.map((take, at) => (
            <TakeFrame
              key={take.uuid}
              take={take}
              number={takes.length - at}
              isShown={take.uuid === shown.uuid}
              isChosen={take.uuid === chosen?.uuid}
              onChoose={() => show(take.uuid)}
            />
          ))}
        </ul>
      ) : null}
    </>
  )
}

type FrameProps = {
  take: ListedVideo
  number: number
  isShown: boolean
  isChosen: boolean
  onChoose: () => void
}

function TakeFrame({ take, number, isShown, isChosen, onChoose }: FrameProps) {
  const { status } = useTask(take, false)
  const name = [t`Take ${number}`, statusLabels()[status], ...(isChosen ? [t`in the film`] : [])].join(' · ')
  return (
    <StripFrame {...{ name, isShown, onChoose }} aspectRatio={take.aspectRatio}>
      {(isPreviewing) => (
        <>
          <TakeFace take={take} name={name} isPreviewing={isPreviewing} isSmall />
          <span className={styles.number} aria-hidden="true">
            {isChosen ? `✓ ${formatNumber(number)}` : formatNumber(number)}
          </span>
        </>
      )}
    </StripFrame>
  )
}

type NextProps = Pick<Props, 'project' | 'shot' | 'models' | 'draft' | 'onOpen'> & { take: ListedVideo }

/** Makes the shot that follows: with the settings and the cast of this one, beginning where it ends. */
function NextShot({ project, shot, models, draft, onOpen, take }: NextProps) {
  const nameOf = useModelNames()
  const next = useSingleFlight({
    mutationFn: async () => {
      const able = models.filter((model) => modesOf(model).some(({ name }) => name === ANIMATE))
      const model = (able.find(({ id }) => id === draft.model) ?? able[0])?.id
      const endS = shot.takeId === take.uuid && shot.outMs !== null ? shot.outMs / 1000 : Number.POSITIVE_INFINITY
      const { seed: _, ...fields } = draft.fields ?? {}
      const own = { ...draft, fields }
      const following =
        model && take.videoUrl ? await startingAtLastFrame(own, take.videoUrl, model, endS) : { ...own, inputs: {} }
      if (following.model !== draft.model && following.model && draft.model)
        toast({ text: t`${nameOf(draft.model) ?? ''} cannot do this: ${nameOf(following.model) ?? ''} is chosen.` })
      return await addShots(project.id, [{ settings: settingsOf(following, models) }], shot.id)
    },
    onSuccess: ([added]) => added && onOpen(added.id),
    onError: (error) => toast({ text: error.message }),
  })
  return (
    <Button
      busy={next.isPending}
      title={t`A new shot after this one: its settings and cast, and the last frame as start image`}
      onClick={() => next.mutate()}
    >
      {t`Next shot`}
    </Button>
  )
}

function DeleteTake({ take, isChosen, number }: { take: ListedVideo; isChosen: boolean; number: number }) {
  const mayChange = useMayChange()(take)
  if (!mayChange) return null
  return (
    <Button
      kind="danger"
      title={isChosen ? t`This take is in the film: shot ${number} will have none.` : undefined}
      onClick={() => deleteVideo(take)}
    >
      {t`Delete`}
    </Button>
  )
}
