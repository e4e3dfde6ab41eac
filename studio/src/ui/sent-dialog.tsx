/** Dialog with a sent message or delivery: what it was, and buttons that copy it and send it again. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogSkeleton } from './dialog.tsx'
import { ErrorState } from './states.tsx'

type Props = {
  title: string
  /** The query of what was sent. */
  query: { isPending: boolean; error: KinoraError | null; data: object | undefined }
  copied: { text: string; label: string }
  /** Sends it again. */
  retry: { isPending: boolean; error: KinoraError | null; mutate: () => void }
  /** A dialog that has no button can never be sent again; with a disabled one it cannot be now. */
  retryButton: 'enabled' | 'disabled' | 'none'
  onClose: () => void
  children: ReactNode
}

export const SentDialog = ({ title, query, copied, retry, retryButton, onClose, children }: Props) => (
  <Dialog open onClose={onClose} title={title}>
    {query.isPending ? <DialogSkeleton height="160px" /> : null}
    {query.error && !query.data ? <ErrorState error={query.error} /> : null}
    {children}
    {retry.error ? <ErrorState error={retry.error} /> : null}
    <div className="dialog-actions">
      <CopyButton {...copied} />
      {retryButton === 'none' ? null : (
        <Button busy={retry.isPending} disabled={retryButton === 'disabled'} onClick={() => retry.mutate()}>
          {t`Send again`}
        </Button>
      )}
      <Button onClick={onClose}>{t`Done`}</Button>
    </div>
  </Dialog>
)
