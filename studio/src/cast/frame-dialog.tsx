/** Dialog that takes a frame of a film into the cast. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Dialog, DialogSkeleton } from '../ui/dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { frameOf, frameUnreadableText } from '../video/film-frame.ts'
import { CastDialog } from './cast-dialog.tsx'

type Props = { videoUrl: string; seconds: number; onClose: () => void }

export function FrameDialog({ videoUrl, seconds, onClose }: Props) {
  const frame = useQuery({
    queryKey: ['frame', videoUrl, seconds],
    queryFn: () => frameOf(videoUrl, seconds),
    gcTime: 0,
  })
  if (!frame.data)
    return (
      <Dialog open onClose={onClose} title={t`Add to the cast`}>
        {frame.isLoading ? <DialogSkeleton height="160px" /> : <p role="alert">{frameUnreadableText()}</p>}
      </Dialog>
    )
  return (
    <CastDialog
      first={frame.data}
      onClose={onClose}
      onSaved={(name) => {
        onClose()
        toast({ text: t`@${name ?? ''} is in your cast.` })
      }}
    />
  )
}
