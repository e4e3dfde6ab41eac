/** The storyboard of a project: the whole film to play, what it costs, and its shots in their order. */
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { type DragEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { downloadHref } from '../chosen-team.ts'
import { useDeletedUuids } from '../library/deletion.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { useSingleFlight } from '../single-flight.ts'
import type { Model } from '../studio/form-fields.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { formatClock, formatNumber } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { lengthOf, segmentsOf } from './cut.ts'
import { CutPlayer } from './cut-player.tsx'
import { FilmPrice } from './film-panel.tsx'
import { useFilmPrice } from './film-price.ts'
import { FilmRender } from './film-render.tsx'
import { FormatFields } from './format-fields.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import styles from './project.module.css'
import { ProjectName } from './project-name.tsx'
import { addShots, type Project, SHOTS_MAX } from './queries.ts'
import { ShotCard } from './shot-card.tsx'
import { settingsForNew } from './shot-settings.ts'
import { ShotStrip } from './shot-strip.tsx'
import { takeLastShot } from './shot-view.tsx'
import { SoundDialog } from './sound-dialog.tsx'
import { applyToProject } from './use-project-change.ts'

type Props = { project: Project; models: Model[] }

export function Storyboard({ project, models }: Props) {
  const isMaker = isAtLeast(useTeam(), 'maker')
  const deleted = useDeletedUuids()
  const segments = useMemo(() => segmentsOf(project, deleted), [project, deleted])
  const [shown, setShown] = useState<string | null>(null)
  const { shots } = project
  const add = useAddShot(project, models)
  const price = useFilmPrice(project)
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle of={[project.name, t`Projects`]} />
      <Head project={project} isMaker={isMaker} lengthS={lengthOf(segments)} />
      {shots.length === 0 ? (
        <EmptyState
          action={
            isMaker ? (
              <div className="row">
                <AddButton kind="primary" add={add} />
                <PasteButton {...{ project, models }} />
              </div>
            ) : null
          }
        >
          {t`The shots of the film will be here in their order, each with its prompt, its takes and its price.`}
        </EmptyState>
      ) : (
        <>
          <section className={styles.whole} aria-label={t`The whole film`}>
            {segments.length > 0 ? (
              <div className={styles.screen}>
                <CutPlayer project={project} segments={segments} shown={shown} onShow={setShown} />
                <ShotStrip project={project} shown={shown ?? segments[0]?.id ?? null} onChoose={setShown} />
              </div>
            ) : null}
            <div className="panel">
              <FilmPrice project={project} price={price} />
              <FilmRender project={project} quoted={price.render} />
              {segments.length > 0 ? (
                <a href={downloadHref(`/api/v1/project/${project.id}/archive`)} download>
                  {t`All takes as ZIP, with the edit list`}
                </a>
              ) : null}
            </div>
          </section>
          <Cards project={project} isMaker={isMaker} price={price} />
          {isMaker ? (
            <div className="row">
              <AddButton add={add} isFull={shots.length >= SHOTS_MAX} />
              <PasteButton {...{ project, models }} />
            </div>
          ) : null}
        </>
      )}
    </div>
  )
}

type HeadProps = { project: Project; isMaker: boolean; lengthS: number }

function Head({ project, isMaker, lengthS }: HeadProps) {
  const [isSounding, setSounding] = useState(false)
  const facts = [
    plural(project.shots.length, { one: '# shot', other: '# shots' }),
    ...(lengthS > 0 ? [formatClock(lengthS)] : []),
  ]
  return (
    <div className="page-head">
      <div className={styles.heading}>
        <Link to="/projects">{t`← Projects`}</Link>
        <ProjectName project={project} isMaker={isMaker} />
        <span className="quiet">{facts.join(' · ')}</span>
      </div>
      <div className={styles.tools}>
        <FormatFields project={project} isMaker={isMaker} onChange={(change) => void applyToProject(project, change)} />
        {isMaker ? (
          <Button onClick={() => setSounding(true)}>{project.sound ? t`Sound track…` : t`Add sound…`}</Button>
        ) : null}
        {isSounding ? <SoundDialog project={project} onClose={() => setSounding(false)} /> : null}
      </div>
    </div>
  )
}

type AddProps = { add: ReturnType<typeof useAddShot>; kind?: 'primary' | 'plain'; isFull?: boolean }

const AddButton = ({ add, kind = 'plain', isFull = false }: AddProps) => (
  <Button
    kind={kind}
    busy={add.isPending}
    disabled={isFull}
    title={isFull ? t`A project has at most ${formatNumber(SHOTS_MAX)} shots.` : undefined}
    onClick={() => add.mutate()}
  >
    {t`Add a shot`}
  </Button>
)

function PasteButton({ project, models }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t`Shots from a script…`}</Button>
      {isOpen ? <PasteDialog project={project} models={models} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Adds a shot at the end and opens it. */
function useAddShot(project: Project, models: Model[]) {
  const { user } = useSignedIn()
  const navigate = useNavigate()
  return useSingleFlight({
    mutationFn: () => addShots(project.id, [{ settings: settingsForNew(project, models, user.id) }]),
    onSuccess: ([shot]) =>
      shot && navigate({ to: '/projects/$id', params: { id: project.id }, search: { shot: shot.id } }),
    onError: (error) => toast({ text: error.message }),
  })
}

type CardsProps = { project: Project; isMaker: boolean; price: ReturnType<typeof useFilmPrice> }

/** The cards, which are dragged to another place, or moved by their keys. */
function Cards({ project, isMaker, price }: CardsProps) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  /** While a card is dragged. */
  const [order, setOrder] = useState<string[] | null>(null)
  const [moved, setMoved] = useState<{ id: string; selector: string; text: string } | null>(null)
  const ids = order ?? project.shots.map(({ id }) => id)
  const shots = ids.flatMap((id) => project.shots.find((shot) => shot.id === id) ?? [])
  const move = (id: string, by: number) => {
    const from = ids.indexOf(id)
    const to = from + by
    if (to < 0 || to >= ids.length) return
    const active = document.activeElement?.getAttribute('data-move')
    setMoved({
      id,
      selector: active ? `[data-move="${active}"]` : 'a',
      text: t`Shot ${from + 1} is now shot ${to + 1}.`,
    })
    void applyToProject(project, { shots: ids.toSpliced(from, 1).toSpliced(to, 0, id) })
  }
  const placed = ids.join()
  useLayoutEffect(() => {
    // An element that moves in its list loses the focus.
    if (!moved || !placed || document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-shot="${moved.id}"] ${moved.selector}`)?.focus()
  }, [moved, placed])
  useEffect(() => {
    const id = takeLastShot()
    if (id) list.current?.querySelector<HTMLElement>(`[data-shot="${id}"] a`)?.focus()
  }, [])
  const onOver = (event: DragEvent, over: string) => {
    if (dragged === null) return
    event.preventDefault()
    if (over === dragged) return
    const others = ids.filter((id) => id !== dragged)
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const at = others.indexOf(over) + (event.clientX > left + width / 2 ? 1 : 0)
    setOrder(others.toSpliced(at, 0, dragged))
  }
  const onDrag = (id: string, isDragged: boolean) => {
    setDragged(isDragged ? id : null)
    if (isDragged) return
    if (order) void applyToProject(project, { shots: order })
    setOrder(null)
  }
  return (
    <section aria-labelledby="storyboard" className="stack">
      <div className="page-head">
        <h2 id="storyboard">{t`Storyboard`}</h2>
        <a href={downloadHref(`/api/v1/project/${project.id}/shots.csv`)} download>
          {t`Shots as CSV`}
        </a>
      </div>
      {isMaker ? (
        <p className={`quiet small ${styles.dragHint}`}>
          <Trans>
            Drag a shot to its place, or move it with <kbd>Alt</kbd> and an arrow key.
          </Trans>
        </p>
      ) : null}
      <p className="hidden-text" role="status">
        {moved?.text}
      </p>
      <ol ref={list} className={styles.cards}>
        {shots.map((shot, at) => (
          <ShotCard
            key={shot.id}
            project={project}
            shot={shot}
            number={at + 1}
            quoted={price.of(shot.id)}
            isMaker={isMaker}
            isDragged={shot.id === dragged}
            onMove={(by) => move(shot.id, by)}
            onDrag={(isDragged) => onDrag(shot.id, isDragged)}
            onOver={(event) => onOver(event, shot.id)}
          />
        ))}
      </ol>
    </section>
  )
}
