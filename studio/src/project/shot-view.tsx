/**
 * A shot of a project: the generate form with its settings in a rail, and beside it its takes, the cut of the chosen
 * one and the strip of all shots.
 */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { refreshQueries } from '../api.ts'
import { useCast } from '../cast/load-cast-form.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import type { Model } from '../studio/form-fields.ts'
import type { Draft, Kind } from '../studio/form-values.ts'
import { GenerateForm } from '../studio/generate-form.tsx'
import { GenerateFormSkeleton } from '../studio/generate-form-skeleton.tsx'
import { templatesQuery } from '../studio/prompt-templates.tsx'
import pageStyles from '../studio/studio-page.module.css'
import { isAtLeast, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { LabelledControl } from '../ui/field.tsx'
import { truncate } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './project.module.css'
import { NOTES_CHARACTERS_MAX, type Project, projectQuery, type Shot } from './queries.ts'
import { useAssetKinds } from './shot-settings.ts'
import { ShotStrip, shotName } from './shot-strip.tsx'
import { Takes } from './takes.tsx'
import { changedText } from './use-project-change.ts'
import { useShotEdit } from './use-shot-edit.ts'

type Props = { project: Project; shot: Shot; models: Model[] }

const NAME_CHARACTERS_MAX = 60

export function ShotView(props: Props) {
  const { project, shot } = props
  const kinds = useAssetKinds(shot.settings)
  // Without templates, or a cast, the form is complete as well; with them it would move once they are there.
  const templates = useQuery(templatesQuery)
  const cast = useCast()
  const isReady = !templates.isLoading && !cast.isLoading
  // Of a shot whose references change while it is open they are known already.
  const latest = useRef(kinds)
  latest.current = kinds ?? latest.current
  const number = project.shots.indexOf(shot) + 1
  return (
    <div className={pageStyles.page}>
      <PageTitle of={[truncate(shotName(number, shot.settings.prompt), NAME_CHARACTERS_MAX), project.name]} />
      <ShotNav project={project} number={number} />
      {latest.current && isReady ? (
        <LoadedShot {...props} number={number} kinds={latest.current} />
      ) : (
        <div className={`${pageStyles.layout} ${styles.layout}`}>
          <div className={styles.rail}>
            <GenerateFormSkeleton />
          </div>
        </div>
      )}
    </div>
  )
}

let lastShot: string | null = null
/** The shot that was open before the storyboard, once: its card gets the focus. */
export function takeLastShot(): string | null {
  const last = lastShot
  lastShot = null
  return last
}

/** The way back to the storyboard, and to the shots beside this one. */
function ShotNav({ project, number }: { project: Project; number: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shot = project.shots[number - 1]
  const focusFirst = useEffectEvent(() => {
    lastShot = shot?.id ?? null
    // What a new shot lacks first is its prompt.
    const prompt = shot?.settings.prompt ? null : document.querySelector<HTMLElement>('textarea[name="prompt"]')
    const first = prompt ?? heading.current
    first?.focus({ preventScroll: true })
  })
  useEffect(() => focusFirst(), [])
  const linkTo = (at: number, text: string) => {
    const shot = project.shots[at - 1]
    return shot ? (
      <Link
        to="/projects/$id"
        params={{ id: project.id }}
        search={{ shot: shot.id }}
        replace
        className={buttonClass('quiet')}
      >
        {text}
      </Link>
    ) : null
  }
  return (
    <nav className={styles.shotNav} aria-label={t`Shots`}>
      <Link to="/projects/$id" params={{ id: project.id }} className={buttonClass('quiet')} dir="auto">
        {`← ${project.name}`}
      </Link>
      <h1 ref={heading} tabIndex={-1} className={styles.shotHeading}>
        {t`Shot ${number} of ${project.shots.length}`}
      </h1>
      <span className={styles.beside}>
        {linkTo(number - 1, t`Previous`)}
        {linkTo(number + 1, t`Next`)}
      </span>
    </nav>
  )
}

type LoadedProps = Props & { number: number; kinds: ReadonlyMap<string, Kind> }

function LoadedShot({ project, shot, models, number, kinds }: LoadedProps) {
  const { user } = useSignedIn()
  const isMaker = isAtLeast(useTeam(), 'maker')
  const navigate = useNavigate()
  const edit = useShotEdit({ userId: user.id, projectId: project.id, shot, models, kinds, isMaker })
  const refresh = () => void refreshQueries(projectQuery(project.id).queryKey)
  /** By an action on a take, such as Extend: the settings before it are a press away. */
  const replace = (draft: Draft) => {
    edit.onDraft(() => draft)
    const undo = () => edit.onDraft(() => edit.draft)
    toast({ text: t`The shot has these settings now.`, action: { label: t`Undo`, onClick: undo } })
  }
  const open = (id: string) =>
    navigate({ to: '/projects/$id', params: { id: project.id }, search: { shot: id }, replace: true })
  return (
    <>
      <div className={`${pageStyles.layout} ${styles.layout}`}>
        <div className={styles.rail}>
          {edit.hasConflict ? (
            <Conflict project={project} shot={shot} onMine={edit.keepMine} onTheirs={edit.takeTheirs} />
          ) : edit.problem ? (
            <ErrorState error={edit.problem} />
          ) : null}
          {isMaker ? (
            <GenerateForm
              userId={user.id}
              models={models}
              draft={edit.draft}
              onChange={edit.onDraft}
              onCreated={refresh}
              shot={{ project: project.id, shot: shot.id }}
            />
          ) : (
            <section className="panel" aria-labelledby="prompt">
              <h2 id="prompt">{t`Prompt`}</h2>
              <p className={styles.readPrompt} dir="auto">
                {shot.settings.prompt || t`No prompt yet`}
              </p>
            </section>
          )}
        </div>
        <section className={styles.stage} aria-label={t`Takes`}>
          <Takes
            {...{ project, shot, models, number, isMaker }}
            draft={edit.draft}
            onDraft={replace}
            onCreated={refresh}
            onOpen={open}
          />
          <LabelledControl
            label={t`Notes`}
            control={(props) => (
              <textarea
                {...props}
                className="input"
                rows={2}
                dir="auto"
                maxLength={NOTES_CHARACTERS_MAX}
                readOnly={!isMaker}
                value={edit.notes}
                onChange={({ target }) => edit.onNotes(target.value)}
              />
            )}
          />
          <p className="quiet small" role="status">
            {!isMaker ? null : edit.isSaved ? t`Saved` : edit.hasConflict ? t`Not saved yet` : t`Saving…`}
          </p>
        </section>
      </div>
      <ShotStrip project={project} shown={shot.id} onChoose={open} />
    </>
  )
}

type ConflictProps = { project: Project; shot: Shot; onMine: () => void; onTheirs: () => void }

/** Another user has changed the same: neither is lost, and the user decides. */
const Conflict = ({ project, shot, onMine, onTheirs }: ConflictProps) => (
  <div className="error-state" role="alert">
    <p>
      {changedText(project, shot, shot.changedAt)} {t`What you have written is kept here.`}
    </p>
    {shot.settings.prompt ? (
      <blockquote className={styles.theirs} dir="auto">
        {shot.settings.prompt}
      </blockquote>
    ) : null}
    <div className="row">
      <Button onClick={onMine}>{t`Keep mine`}</Button>
      <Button onClick={onTheirs}>{t`Take theirs`}</Button>
    </div>
  </div>
)
