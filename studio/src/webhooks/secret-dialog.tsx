/** Dialog that shows the secret of an endpoint, once: the service never shows it again. */
import { t } from '@lingui/core/macro'
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
    title={isRotated ? t`The new secret` : t`The secret of this endpoint`}
  >
    <p>{t`Copy it now and keep it where you keep passwords. It is not shown again.`}</p>
    <p className={styles.secret}>
      <code>{secret}</code>
    </p>
    <p className="quiet">
      {isRotated
        ? t`For 24 hours every request is signed with the secret before as well.`
        : t`Check the signature of every request with it.`}
    </p>
    <div className="dialog-actions">
      <CopyButton text={secret ?? ''} kind="primary" />
      <Button onClick={onClose}>{t`Done`}</Button>
    </div>
  </Dialog>
)
