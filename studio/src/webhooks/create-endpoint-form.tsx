/** Form that creates a webhook endpoint, and the dialog that shows its secret. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { type EventType, eventOptions } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'
import styles from './webhooks.module.css'

export function CreateEndpointForm() {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<EventType[]>([])
  const create = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/webhook/endpoints', { body: { url: url.trim(), events } })),
    onSuccess: async () => {
      setUrl('')
      setEvents([])
      await refreshQueries(['webhooks'])
    },
  })
  const toggle = (type: EventType) =>
    setEvents(events.includes(type) ? events.filter((each) => each !== type) : [...events, type])
  const isUrlWrong = create.error?.code === 'INVALID_REQUEST'
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <h2>{t`New endpoint`}</h2>
      <Field
        label={t`Address`}
        hint={t`An https address of your program. It gets a POST for each event.`}
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        placeholder="https://example.com/kinora"
        required
        maxLength={2048}
        autoComplete="off"
        error={isUrlWrong ? create.error?.message : undefined}
      />
      <fieldset className={styles.events}>
        <legend className="field-label">{t`Events`}</legend>
        <p className="field-hint">{t`All, when none is chosen.`}</p>
        {eventOptions.map(([type, label]) => (
          <label key={type} className={styles.event}>
            <input type="checkbox" checked={events.includes(type)} onChange={() => toggle(type)} />
            {label}
          </label>
        ))}
      </fieldset>
      {create.error && !isUrlWrong ? <ErrorState error={create.error} /> : null}
      <Button type="submit" kind="primary" busy={create.isPending} disabled={!url.trim()}>
        {t`Add endpoint`}
      </Button>
      <SecretDialog secret={create.data?.secret} onClose={create.reset} />
    </form>
  )
}
