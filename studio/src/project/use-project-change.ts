/** Changes of a project's own fields, and of a shot's cut, which show at once. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryClient, refreshQueries } from '../api.ts'
import { formatRelativeTime } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import {
  changeProject,
  changerName,
  changeShot,
  type Project,
  type ProjectChange,
  projectQuery,
  type Saved,
  type Shot,
  type ShotChange,
} from './queries.ts'

/** Who has changed the same meanwhile, and when. */
export function changedText(project: Project, row: { changedBy: string }, at: string): string {
  const name = changerName(project, row)
  const when = formatRelativeTime(at)
  return name === null ? t`This was changed elsewhere ${when}.` : t`${name} changed this ${when}.`
}

/** @returns whether it is saved; else the user is told why */
export async function applyToProject(seen: Project, change: ProjectChange): Promise<boolean> {
  const { queryKey } = projectQuery(seen.id)
  const { shots: order, ...fields } = change
  const shots = order?.flatMap((id) => seen.shots.find((shot) => shot.id === id) ?? []) ?? seen.shots
  queryClient.setQueryData(queryKey, { ...seen, ...fields, shots })
  return await told(seen.id, changeProject(seen, change), (theirs) => changedText(theirs, theirs, theirs.updatedAt))
}

/** @returns whether it is saved; else the user is told why */
export async function applyToShot(project: Project, seen: Shot, change: ShotChange): Promise<boolean> {
  return await told(project.id, changeShot(project.id, seen, change), (theirs) =>
    changedText(latestOf(project), theirs, theirs.changedAt),
  )
}

const latestOf = (project: Project): Project => queryClient.getQueryData(projectQuery(project.id).queryKey) ?? project

async function told<Row>(projectId: string, saving: Promise<Saved<Row>>, textOf: (theirs: Row) => string) {
  try {
    const saved = await saving
    if ('row' in saved) return true
    toast({ text: t`${textOf(saved.theirs)} Yours is not saved; try it again.` })
  } catch (error) {
    toast({ text: (error as KinoraError).message })
  }
  await refreshQueries(projectQuery(projectId).queryKey)
  return false
}
