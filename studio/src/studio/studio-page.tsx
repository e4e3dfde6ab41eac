/** The studio: a wish on one side, its price and the press on the other, and below what comes of it. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { modelsQuery, videoQuery } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { ErrorState } from '../ui/states.tsx'
import { readDraft } from './draft.ts'
import { availableModels, type Draft, formValuesOf } from './form-values.ts'
import { GenerateForm } from './generate-form.tsx'
import { GenerateFormSkeleton } from './generate-form-skeleton.tsx'
import { RecentVideos } from './recent-videos.tsx'

export function StudioPage() {
  return (
    <div className="page">
      <title>Studio · Kinora</title>
      <h1 className="hidden-text">Studio</h1>
      <Start />
      <RecentVideos />
    </div>
  )
}

/** Gathers what the desk begins with: the models, and the wish of the address, of another video, or of the draft. */
function Start() {
  const { again, model } = useSearch({ from: '/signed-in/' })
  const { user } = useSignedIn()
  const navigate = useNavigate()
  const offers = useQuery(modelsQuery)
  const source = useQuery({ ...videoQuery(again ?? ''), enabled: again !== undefined })
  if (offers.error) return <ErrorState error={offers.error} retry={() => offers.refetch()} />
  if (again !== undefined && source.error) {
    return <ErrorState error={source.error} retry={() => navigate({ to: '/', search: {}, replace: true })} />
  }
  if (!offers.data || (again !== undefined && !source.data)) return <GenerateFormSkeleton />
  const draft = readDraft(user.id)
  const first: Draft = source.data && again ? formValuesOf(source.data) : draft
  return (
    <GenerateForm
      key={`${again ?? ''} ${model ?? ''}`}
      userId={user.id}
      models={availableModels(offers.data.models)}
      first={model === undefined ? first : { ...first, model }}
      // The address has said what it had to; loaded again, the page shows what has been made of it since.
      onTaken={() =>
        again === undefined && model === undefined ? undefined : void navigate({ to: '/', search: {}, replace: true })
      }
    />
  )
}
