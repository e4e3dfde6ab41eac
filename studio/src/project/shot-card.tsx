/** A shot on the storyboard: its frame, prompt, model, price and state, and what changes its place. */
import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { useDeletedUuids } from '../library/deletion.ts'
import { useModelNames } from '../model-name.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionDialog } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { isComposing } from '../ui/composition.ts'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { usePreview } from '../video/poster.tsx'
import { type QuotedShot, refusalText } from './film-price.ts'
import styles from './project.module.css'
import { addShots, deleteShot, type Project, type Shot } from './queries.ts'
import { shotName } from './shot-strip.tsx'
import { faceOf, ShotFace } from './take-face.tsx'

type Props = {
  project: Project
  shot: Shot
  number: number
  /** Of a shot that lacks a take: what one costs, or why none can be made; undefined while it is not known. */
  quoted: QuotedShot | undefined
  isMaker: boolean
  isDragged: boolean
  onMove: (by: number) => void
  onDrag: (isDragged: boolean) => void
  /** Another card is dragged over this one. */
  onOver: (event: DragEvent) => void
}

export function ShotCard({ project, shot, number, quoted, isMaker, isDragged, onMove, onDrag, onOver }: Props) {
  const take = faceOf(shot, useDeletedUuids())
  const nameOf = useModelNames()
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const { settings } = shot
  const name = shotName(number, settings.prompt)
  const facts = [
    settings.model === undefined ? null : nameOf(settings.model),
    settings.duration === undefined ? null : t`${settings.duration} s`,
    take && take.status !== 'FAILED' ? formatCredits(take.creditsUsed) : priceText(quoted),
  ].filter((fact) => fact !== null)
  const refusal = refusalText(shot, quoted)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!isMaker || !event.altKey || by === 0 || isComposing(event.nativeEvent)) return
    // The browser would go back.
    event.preventDefault()
    onMove(by)
  }
  return (
    <li
      className={styles.cell}
      data-dragged={isDragged}
      data-shot={shot.id}
      draggable={isMaker}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag(true)
      }}
      onDragEnd={() => onDrag(false)}
      onDragOver={onOver}
      onDrop={(event) => event.preventDefault()}
    >
      <Link
        to="/projects/$id"
        params={{ id: project.id }}
        search={{ shot: shot.id }}
        className={styles.card}
        draggable={false}
        preload={false}
        onKeyDown={onKeyDown}
        {...pointerHandlers}
        {...focusHandlers}
      >
        <span className={styles.frame} style={aspectRatioStyle(project.aspectRatio)} data-fit={project.fit}>
          <ShotFace shot={shot} take={take} name={name} isPreviewing={isPreviewing} />
        </span>
        <span className={styles.caption}>
          <span className={styles.prompt} dir="auto">
            <strong className={styles.ordinal}>{formatNumber(number)}</strong> {settings.prompt || t`No prompt yet`}
          </span>
          <span className={`quiet small ${styles.facts}`}>{facts.join(' · ')}</span>
          {refusal && !take ? <span className={`small ${styles.refusal}`}>{refusal}</span> : null}
          {shot.notes ? (
            <span className={`small ${styles.notes}`} dir="auto">
              {shot.notes}
            </span>
          ) : null}
        </span>
      </Link>
      {isMaker ? <CardActions {...{ project, shot, number, name, onMove }} /> : null}
    </li>
  )
}

function priceText(quoted: QuotedShot | undefined): string | null {
  if (!quoted || quoted.credits === null) return null
  const credits = formatCredits(quoted.credits)
  return quoted.ceiling ? t`up to ${credits}` : credits
}

type ActionsProps = { project: Project; shot: Shot; number: number; name: string; onMove: (by: number) => void }

function CardActions({ project, shot, number, name, onMove }: ActionsProps) {
  const [isDeleting, setDeleting] = useState(false)
  const duplicate = useSingleFlight({
    mutationFn: () => addShots(project.id, [{ settings: shot.settings, notes: shot.notes }], shot.id),
    onError: (error) => toast({ text: error.message }),
  })
  const takes = shot.takes.length
  return (
    <div className={styles.cardActions}>
      <Button
        kind="quiet"
        data-move="earlier"
        aria-label={t`Move earlier`}
        title={name}
        disabled={number === 1}
        onClick={() => onMove(-1)}
      >
        ←
      </Button>
      <Button
        kind="quiet"
        data-move="later"
        aria-label={t`Move later`}
        title={name}
        disabled={number === project.shots.length}
        onClick={() => onMove(1)}
      >
        →
      </Button>
      <Button kind="quiet" title={name} busy={duplicate.isPending} onClick={() => duplicate.mutate()}>
        {t`Duplicate`}
      </Button>
      <Button kind="quiet" title={name} onClick={() => setDeleting(true)}>
        {t`Delete`}
      </Button>
      {isDeleting ? (
        <ActionDialog
          title={t`Delete shot ${number}?`}
          submitLabel={t`Delete the shot`}
          kind="danger"
          onClose={() => setDeleting(false)}
          send={() => deleteShot(project.id, shot)}
        >
          <p>
            {takes === 0
              ? t`Its prompt and settings go.`
              : plural(takes, {
                  one: 'Its prompt and settings go; its take stays in the library.',
                  other: 'Its prompt and settings go; its # takes stay in the library.',
                })}
          </p>
        </ActionDialog>
      ) : null}
    </div>
  )
}
