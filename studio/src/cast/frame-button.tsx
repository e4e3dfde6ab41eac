/** Takes the frame of a film that is shown into the cast. */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'

/** Loaded on demand: no page of a first load has a dialog. */
const FrameDialog = lazy(() => import('./frame-dialog.tsx').then((module) => ({ default: module.FrameDialog })))

export function FrameButton({ uuid, videoUrl }: { uuid: string; videoUrl: string }) {
  const [seconds, setSeconds] = useState<number | null>(null)
  return (
    <>
      <Button title={t`Add the frame that is shown to the cast`} onClick={() => setSeconds(shownTime(uuid))}>
        {t`Cast…`}
      </Button>
      <Suspense>
        {seconds === null ? null : <FrameDialog {...{ videoUrl, seconds }} onClose={() => setSeconds(null)} />}
      </Suspense>
    </>
  )
}

const shownTime = (uuid: string): number =>
  document.querySelector<HTMLVideoElement>(`video[data-film="${uuid}"]`)?.currentTime ?? 0
