/** The shots of a project as a strip of frames in their order, to go from one to another. */
import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { useDeletedUuids } from '../library/deletion.ts'
import stripStyles from '../studio/film-strip.module.css'
import { formatNumber } from '../ui/format.ts'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { usePreview } from '../video/poster.tsx'
import styles from './project.module.css'
import type { Project, Shot } from './queries.ts'
import { faceOf, TakeFace } from './take-face.tsx'

type Props = { project: Project; shown: string | null; onChoose: (id: string) => void }

export const ShotStrip = ({ project, shown, onChoose }: Props) => (
  <ol className={stripStyles.films} aria-label={t`Shots in order`}>
    {project.shots.map((shot, at) => (
      <Frame
        key={shot.id}
        shot={shot}
        number={at + 1}
        aspectRatio={project.aspectRatio}
        isShown={shot.id === shown}
        onChoose={() => onChoose(shot.id)}
      />
    ))}
  </ol>
)

type FrameProps = { shot: Shot; number: number; aspectRatio: string; isShown: boolean; onChoose: () => void }

function Frame({ shot, number, aspectRatio, isShown, onChoose }: FrameProps) {
  const take = faceOf(shot, useDeletedUuids())
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const button = useRef<HTMLButtonElement>(null)
  const name = shotName(number, shot.settings.prompt)
  useEffect(() => {
    const list = button.current?.closest('ol')
    // Not scrollIntoView, which would scroll the page too.
    if (isShown && list && button.current) list.scrollLeft = button.current.offsetLeft - list.offsetLeft - 8
  }, [isShown])
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={stripStyles.frame}
        style={aspectRatioStyle(aspectRatio)}
        {...(isShown && { 'aria-current': true })}
        onClick={onChoose}
        {...pointerHandlers}
        {...focusHandlers}
      >
        <span className="hidden-text">{name}</span>
        {take ? <TakeFace take={take} name={name} isPreviewing={isPreviewing && !isShown} isSmall /> : null}
        <span className={styles.number} aria-hidden="true">
          {formatNumber(number)}
        </span>
      </button>
    </li>
  )
}

/** A shot by its number and its prompt. */
export const shotName = (number: number, prompt = ''): string =>
  prompt ? t`Shot ${number}: ${prompt}` : t`Shot ${number}`
