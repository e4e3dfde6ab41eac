/** The button of a card or a figure that opens all one does with its film. */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import type { ListedVideo } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import type { Draft } from '../studio/form-values.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { truncate } from '../ui/format.ts'

/** Loaded on demand: no page of a first load has a dialog. */
const VideoActions = lazy(() => import('./video-actions.tsx').then((module) => ({ default: module.VideoActions })))

type Props = { video: ListedVideo; className?: string | undefined; onDraft?: ((draft: Draft) => void) | undefined }

export function FilmMenu({ video, className, onDraft }: Props) {
  const [isOpen, setOpen] = useState(false)
  const name = useFilmNames()(video)
  return (
    <>
      <Button
        kind="quiet"
        className={className}
        aria-haspopup="dialog"
        aria-label={t`Actions: ${name}`}
        onClick={() => setOpen(true)}
      >
        ⋯
      </Button>
      <Suspense>
        {isOpen ? (
          <Dialog open onClose={() => setOpen(false)} title={truncate(name, 60)}>
            <VideoActions video={video} onDraft={onDraft} onLeave={() => setOpen(false)} />
          </Dialog>
        ) : null}
      </Suspense>
    </>
  )
}
