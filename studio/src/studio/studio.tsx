/** The studio: a wish on one side, its price and the press on the other, and below what comes of it. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { models, video } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { Problem } from '../ui/states.tsx'
import { readDraft } from './draft.ts'
import { type Draft, offered, wishOf } from './form-values.ts'
import { Desk } from './generate-form.tsx'
import { DeskWaiting } from './generate-form-skeleton.tsx'
import { Recent } from './recent.tsx'

export function Studio() {
  return (
    <div className="page">
      <title>Studio · Kinora</title>
      <h1 className="hidden-text">Studio</h1>
      <Start />
      <Recent />
    </div>
  )
}

/** Gathers what the desk begins with: the models, and the wish of the address, of another video, or of the draft. */
function Start() {
  const { again, model } = useSearch({ from: '/signed-in/' })
  const { user } = useSignedIn()
  const navigate = useNavigate()
  const offers = useQuery(models)
  const source = useQuery({ ...video(again ?? ''), enabled: again !== undefined })
  if (offers.error) return <Problem error={offers.error} retry={() => offers.refetch()} />
  if (again !== undefined && source.error) {
    return <Problem error={source.error} retry={() => navigate({ to: '/', search: {}, replace: true })} />
  }
  if (!offers.data || (again !== undefined && !source.data)) return <DeskWaiting />
  const draft = readDraft(user.id)
  const first: Draft = source.data && again ? wishOf(source.data) : draft
  return (
    <Desk
      key={`${again ?? ''} ${model ?? ''}`}
      userId={user.id}
      models={offered(offers.data.models)}
      first={model === undefined ? first : { ...first, model }}
      // The address has said what it had to; loaded again, the page shows what has been made of it since.
      onTaken={() =>
        again === undefined && model === undefined ? undefined : void navigate({ to: '/', search: {}, replace: true })
      }
    />
  )
}
