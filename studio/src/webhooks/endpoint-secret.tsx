/** Dialog that shows the secret of an endpoint, once: the service never shows it again. */
import { t } from '@lingui/core/macro'
import { SecretDialog } from '../ui/secret-dialog.tsx'

type Props = { secret: string | undefined; isRotated?: boolean; onClose: () => void }

/** @param props.secret undefined: the dialog is closed */
export const EndpointSecret = ({ secret, isRotated = false, onClose }: Props) => (
  <SecretDialog
    secret={secret}
    title={isRotated ? t`The new secret` : t`The secret of this endpoint`}
    note={
      isRotated
        ? t`For 24 hours every request is signed with the secret before as well.`
        : t`Check the signature of every request with it.`
    }
    onClose={onClose}
  >
    {t`Copy it now and keep it where you keep passwords. It is not shown again.`}
  </SecretDialog>
)
