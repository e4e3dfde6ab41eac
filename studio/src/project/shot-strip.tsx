/** The shots of a project as a strip of frames in their order, to go from one to another. */
import { t } from '@lingui/core/macro'
import { useDeletedUuids } from '../library/deletion.ts'
import stripStyles from '../studio/film-strip.module.css'
import { StripFrame } from '../studio/strip-frame.tsx'
import { formatNumber } from '../ui/format.ts'
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
  const name = shotName(number, shot.settings.prompt)
  return (
    <StripFrame {...{ name, aspectRatio, isShown, onChoose }}>
      {(isPreviewing) => (
        <>
          {take ? <TakeFace take={take} name={name} isPreviewing={isPreviewing} isSmall /> : null}
          <span className={styles.number} aria-hidden="true">
            {formatNumber(number)}
          </span>
        </>
      )}
    </StripFrame>
  )
}

/** A shot by its number and its prompt. */
export const shotName = (number: number, prompt = ''): string =>
  prompt ? t`Shot ${number}: ${prompt}` : t`Shot ${number}`
