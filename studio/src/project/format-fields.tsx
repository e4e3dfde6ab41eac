/** The format of a project: the shape of the whole film, and how takes of another shape fill it. */
import { t } from '@lingui/core/macro'
import { Select } from '../ui/select.tsx'
import type { Project, ProjectChange } from './queries.ts'

export type AspectRatio = Project['aspectRatio']

export const aspectRatioNames = (): Record<AspectRatio, string> => ({
  '16:9': t`16:9, wide`,
  '9:16': t`9:16, tall`,
  '1:1': t`1:1, square`,
})

const fitNames = (): Record<Project['fit'], string> => ({
  fit: t`Whole, with bars`,
  crop: t`Filled, cropped`,
})

type Props = { project: Project; isMaker: boolean; onChange: (change: ProjectChange) => void }

export const FormatFields = ({ project, isMaker, onChange }: Props) => (
  <>
    <Select
      aria-label={t`Format`}
      title={t`Format`}
      value={project.aspectRatio}
      options={aspectRatioNames()}
      disabled={!isMaker}
      onSelect={(aspectRatio) => aspectRatio && onChange({ aspectRatio })}
    />
    <Select
      aria-label={t`Takes of another shape`}
      title={t`Takes of another shape`}
      value={project.fit}
      options={fitNames()}
      disabled={!isMaker}
      onSelect={(fit) => fit && onChange({ fit })}
    />
  </>
)
