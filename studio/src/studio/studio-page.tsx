/** The studio: the generate form with its price in a rail, and the stage with the films beside it. */

import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { dataOf, kinora, modelsQuery, showSaved, videoQuery } from '../api.ts'
import { useCast } from '../cast/load-cast-form.ts'
import { chosenTeam } from '../chosen-team.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { PageTitle } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { readDraft, saveDraft } from './draft.ts'
import type { Model } from './form-fields.ts'
import { type Draft, draftOf, selectMakers } from './form-values.ts'
import { GenerateForm } from './generate-form.tsx'
import { GenerateFormSkeleton } from './generate-form-skeleton.tsx'
import { templatesQuery } from './prompt-templates.tsx'
import { Stage } from './stage.tsx'
import styles from './studio-page.module.css'

export function StudioPage() {
  const { user } = useSignedIn()
  const [draft, setDraft] = useState(() => readDraft(user.id))
  useEffect(() => saveDraft(user.id, draft), [user.id, draft])
  const { film } = useSearch({ from: '/signed-in/' })
  const [shown, setShown] = useState(() => (film === undefined ? [] : [film]))
  const models = useQuery({ ...modelsQuery, select: selectMakers })
  const replaceDraft = (next: Draft) => {
    setDraft(next)
    const isLost = draft.prompt !== undefined && draft.prompt.trim() !== '' && draft.prompt !== next.prompt
    if (isLost) toast({ text: t`Your prompt is replaced.`, action: { label: t`Undo`, onClick: () => setDraft(draft) } })
  }
  return (
    <div className={styles.page}>
      <PageTitle of={[t`Studio`]} />
      <h1 className="hidden-text">{t`Studio`}</h1>
      <Gift />
      <div className={styles.layout}>
        <div className={styles.rail}>
          <FormLoader models={models} draft={draft} onChange={setDraft} onCreated={setShown} />
        </div>
        <Stage shown={shown} onShow={setShown} onDraft={replaceDraft} />
      </div>
    </div>
  )
}

type LoaderProps = {
  models: { data: Model[] | undefined; error: Parameters<typeof ErrorState>[0]['error'] | null; refetch: () => unknown }
  draft: Draft
  onChange: (change: (latest: Draft) => Draft) => void
  onCreated: (uuids: string[]) => void
}

/** Loads what the form needs, and applies another video's settings, a model or a shared prompt to the draft. */
function FormLoader({ models, draft, onChange, onCreated }: LoaderProps) {
  const { again, model, prompt, film } = useSearch({ from: '/signed-in/' })
  const { user } = useSignedIn()
  const navigate = useNavigate()
  // Once applied they are removed, so that a reload shows the draft with the user's edits since.
  const removeParams = () => navigate({ to: '/', search: {}, replace: true })
  const templates = useQuery(templatesQuery)
  const cast = useCast()
  const source = useQuery({ ...videoQuery(again ?? ''), enabled: again !== undefined })
  const apply = useEffectEvent(() => {
    const { data } = source
    if (model !== undefined) onChange((latest) => ({ ...latest, model }))
    if (prompt !== undefined) onChange((latest) => ({ ...latest, prompt }))
    if (data) onChange(() => draftOf(data))
    if (film !== undefined) onCreated([film])
    if (model !== undefined || prompt !== undefined || film !== undefined || data) void removeParams()
    // The focus would stay, on the same page, at the link, far from the form.
    if (data) document.querySelector<HTMLElement>('textarea[name="prompt"]')?.focus()
  })
  // Without templates, or a cast, the form is complete as well.
  const isReady =
    models.data !== undefined &&
    !templates.isLoading &&
    !cast.isLoading &&
    (again === undefined || source.data !== undefined)
  const requested =
    isReady && (again ?? model ?? prompt ?? film) !== undefined ? `${again} ${model} ${prompt} ${film}` : null
  useEffect(() => {
    if (requested !== null) apply()
  }, [requested])
  if (models.error && !models.data) return <ErrorState error={models.error} retry={() => models.refetch()} />
  if (again !== undefined && source.error) return <ErrorState error={source.error} retry={() => removeParams()} />
  if (!models.data || !isReady) return <GenerateFormSkeleton />
  return <GenerateForm userId={user.id} models={models.data} draft={draft} onChange={onChange} onCreated={onCreated} />
}

/** Loaded on demand: most users never see it. */
const GiftNotice = lazy(() => import('./gift-notice.tsx').then((module) => ({ default: module.GiftNotice })))

const giftQuery = queryOptions({
  queryKey: ['credit', 'gift'],
  queryFn: () => dataOf(kinora.GET('/api/v1/credit/gift')),
  staleTime: 60_000,
})

/** A team gets no new-user gift, and the user has seen the notice in the own studio. */
function Gift() {
  const { data } = useQuery({ ...giftQuery, enabled: chosenTeam() === null })
  if (!data?.message || data.isSeen) return null
  return (
    <Suspense>
      <GiftNotice gift={data} onSeen={(seen) => showSaved(giftQuery.queryKey, seen)} />
    </Suspense>
  )
}
