/** Dialog that shows what is shown once: a key, a secret, a link. */
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import './secret-dialog.css'

type Props = {
  /** undefined: the dialog is closed. */
  secret: string | undefined
  title: string
  /** What is said before it. */
  children: ReactNode
  /** What is said after it. */
  note?: ReactNode
  copyLabel?: string
  onClose: () => void
}

export const SecretDialog = ({ secret = '', title, children, note, copyLabel, onClose }: Props) => (
  <Dialog open={secret !== ''} onClose={onClose} title={title}>
    <p>{children}</p>
    <p className="secret">
      <code>{secret}</code>
    </p>
    {note ? <p className="quiet">{note}</p> : null}
    <div className="dialog-actions">
      <CopyButton text={secret} kind="primary" {...(copyLabel ? { label: copyLabel } : {})} />
      <Button onClick={onClose}>{t`Done`}</Button>
    </div>
  </Dialog>
)
