/** The studio: the generate form with its price, and the videos in progress and the latest ones beside it. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { modelsQuery, videoQuery } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { pageTitle } from '../ui/page-title.ts'
import { ErrorState } from '../ui/states.tsx'
import { readDraft } from './draft.ts'
import { availableModels, type Draft, formValuesOf } from './form-values.ts'
import { GenerateForm } from './generate-form.tsx'
import { GenerateFormSkeleton } from './generate-form-skeleton.tsx'
import { GiftNotice } from './gift-notice.tsx'
import { RecentVideos } from './recent-videos.tsx'
import styles from './studio-page.module.css'

export function StudioPage() {
  return (
    <div className="page">
      <title>{pageTitle(t`Studio`)}</title>
      <h1 className="hidden-text">{t`Studio`}</h1>
      <GiftNotice />
      <div className={styles.layout}>
        <div className={styles.work}>
          <FormLoader />
        </div>
        <RecentVideos />
      </div>
    </div>
  )
}

/** Loads what the form needs: the models, and the initial values from the search params, another video, or the draft. */
function FormLoader() {
  const { again, model } = useSearch({ from: '/signed-in/' })
  const { user } = useSignedIn()
  const navigate = useNavigate()
  const models = useQuery(modelsQuery)
  /** The form is rendered twice, because the search params are removed: the second prompt gets the focus. */
  const isTryingAgain = useRef(false)
  const onInitialized = () => {
    if (again !== undefined || model !== undefined) {
      isTryingAgain.current = again !== undefined
      // Remove the search params once applied, so that a reload shows the draft with the user's edits since.
      navigate({ to: '/', search: {}, replace: true })
    } else if (isTryingAgain.current) {
      isTryingAgain.current = false
      // The focus would stay, on the same page, at the link, far from the form.
      document.querySelector<HTMLElement>('textarea[name="prompt"]')?.focus()
    }
  }
  const source = useQuery({ ...videoQuery(again ?? ''), enabled: again !== undefined })
  if (models.error) return <ErrorState error={models.error} retry={() => models.refetch()} />
  if (again !== undefined && source.error) {
    return <ErrorState error={source.error} retry={() => navigate({ to: '/', search: {}, replace: true })} />
  }
  if (!models.data || (again !== undefined && !source.data)) return <GenerateFormSkeleton />
  const draft: Draft = source.data && again ? formValuesOf(source.data) : readDraft(user.id)
  return (
    <GenerateForm
      key={`${again ?? ''} ${model ?? ''}`}
      userId={user.id}
      models={availableModels(models.data.models)}
      initialDraft={model === undefined ? draft : { ...draft, model }}
      onInitialized={onInitialized}
    />
  )
}
