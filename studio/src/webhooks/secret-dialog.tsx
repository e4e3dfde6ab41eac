/** Dialog that shows the secret of an endpoint, once: the service never shows it again. */
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './webhooks.module.css'

/** @param props.secret undefined: the dialog is closed */
export const SecretDialog = ({
  secret,
  isRotated = false,
  onClose,
}: {
  secret: string | undefined
  isRotated?: boolean
  onClose: () => void
}) => (
  <Dialog
    open={secret !== undefined}
    onClose={onClose}
    title={isRotated ? 'The new secret' : 'The secret of this endpoint'}
  >
    <p>Copy it now and keep it where you keep passwords. It is not shown again.</p>
    <p className={styles.secret}>
      <code>{secret}</code>
    </p>
    <p className="quiet">
      {isRotated
        ? 'For 24 hours every request is signed with the secret before as well.'
        : 'Check the signature of every request with it.'}
    </p>
    <div className="dialog-actions">
      <CopyButton text={secret ?? ''} kind="primary" />
      <Button onClick={onClose}>Done</Button>
    </div>
  </Dialog>
)
