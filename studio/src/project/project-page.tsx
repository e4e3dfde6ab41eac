/** A project: its storyboard, or one of its shots. The shot is in the URL, so that the back button leaves it. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { modelsQuery } from '../api.ts'
import { selectMakers } from '../studio/form-values.ts'
import { buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { projectQuery, shotOf } from './queries.ts'
import { ShotView } from './shot-view.tsx'
import { Storyboard } from './storyboard.tsx'

const route = getRouteApi('/signed-in/projects/$id')

export function ProjectPage() {
  const { id } = route.useParams()
  const { shot: shotId } = route.useSearch()
  const project = useQuery(projectQuery(id))
  const models = useQuery({ ...modelsQuery, select: selectMakers })
  const error = (project.data ? null : project.error) ?? (models.data ? null : models.error)
  if (error?.code === 'NOT_FOUND') return <NotFound />
  if (!project.data || !models.data) {
    const retry = () => Promise.all([project.refetch(), models.refetch()])
    return (
      <Page title={t`Project`}>
        {error ? (
          <ErrorState error={error} retry={retry} />
        ) : (
          <LoadingState label={t`Loading the project`}>
            <SkeletonBlock height="52dvh" />
          </LoadingState>
        )}
      </Page>
    )
  }
  const shot = shotOf(project.data, shotId)
  return shot ? (
    <ShotView key={shot.id} project={project.data} shot={shot} models={models.data} />
  ) : (
    <Storyboard project={project.data} models={models.data} />
  )
}

const NotFound = () => (
  <Page title={t`No such project`}>
    <EmptyState
      action={
        <Link to="/projects" className={buttonClass('primary')}>
          {t`All projects`}
        </Link>
      }
    >
      {t`This project does not exist or was deleted.`}
    </EmptyState>
  </Page>
)
