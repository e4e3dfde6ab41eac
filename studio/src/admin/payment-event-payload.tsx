/** An event as its processor sent it, set out to be read; what is copied is the text as it came. */
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import look from './payments-page.module.css'
import type { PaymentEvent } from './queries.ts'

export const EventBody = ({ event, onClose }: { event: PaymentEvent; onClose: () => void }) => (
  <Dialog open onClose={onClose} title={event.type}>
    <p className="quiet">
      {event.processor} <code>{event.externalId}</code>
    </p>
    <pre className={look.body}>{setOut(event.body)}</pre>
    <div className="dialog-actions">
      <CopyButton text={event.body} label="Copy as it came" />
      <Button onClick={onClose}>Done</Button>
    </div>
  </Dialog>
)

function setOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
