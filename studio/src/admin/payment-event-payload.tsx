/** Dialog with a payment event's webhook payload: shown as indented JSON, copied as the exact text that was received. */
import { t } from '@lingui/core/macro'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import adminStyles from './admin.module.css'
import type { PaymentEvent } from './queries.ts'

export const PaymentEventPayload = ({ event, onClose }: { event: PaymentEvent; onClose: () => void }) => (
  <Dialog open onClose={onClose} title={event.type}>
    <p className="quiet">
      {event.processor} <code>{event.externalId}</code>
    </p>
    <pre className={adminStyles.json}>{prettyPrint(event.body)}</pre>
    <div className="dialog-actions">
      <CopyButton text={event.body} label={t`Copy as it came`} />
      <Button onClick={onClose}>{t`Done`}</Button>
    </div>
  </Dialog>
)

/** Indented JSON; text that is not JSON stays as it is. */
function prettyPrint(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
