/** Opens the choice of a larger copy of a film. Not shown without a model, or to a member who makes no films. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type ListedVideo, modelsQuery } from '../api.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { UPSCALE } from '../upscalers.ts'
import type { ShotOf } from './generate.ts'

/** Loaded on demand: no page of a first load has a dialog. */
const UpscaleDialog = lazy(() => import('./upscale-dialog.tsx').then((module) => ({ default: module.UpscaleDialog })))

type Props = {
  video: ListedVideo
  onCreated: (uuids: string[]) => void
  /** The copy is a take of it. */
  shot?: ShotOf | undefined
}

export function UpscaleButton({ video, onCreated, shot }: Props) {
  const { data } = useQuery(modelsQuery)
  const isMaker = isAtLeast(useTeam(), 'maker')
  const [isOpen, setOpen] = useState(false)
  const isOffered = data?.models.some(({ enabled, modes }) => enabled && modes.includes(UPSCALE))
  if (!video.videoUrl || !isMaker || !isOffered) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t`Upscale…`}</Button>
      <Suspense>
        {isOpen ? <UpscaleDialog {...{ video, onCreated, shot }} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
