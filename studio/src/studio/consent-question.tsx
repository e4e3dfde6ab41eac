/** The statement about persons in the inputs, which is asked for once, where a film was refused without it. */
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/states.tsx'

/** @param onGiven called when the statement is stored: the film can be made */
export function ConsentQuestion({ text, version, onGiven }: { text: string; version: string; onGiven: () => void }) {
  const give = useMutation({
    mutationFn: () => dataOf(kinora.PUT('/api/v1/video/consent', { body: { version } })),
    onSuccess: onGiven,
  })
  return (
    <div className="stack" role="alert">
      <p className="quiet small">{t`Before faces or voices go into a film, this service asks once for your statement.`}</p>
      <p>{textOf(text)}</p>
      <Button busy={give.isPending} onClick={() => give.mutate()}>{t`I state this, and make the film`}</Button>
      {give.error ? <ErrorState error={give.error} /> : null}
    </div>
  )
}

/** The text that comes with the service is translated; operators write their own in the language of their users. */
const textOf = (text: string): string =>
  text === 'Every person who is seen or heard in what I send has agreed to it.'
    ? t`Every person who is seen or heard in what I send has agreed to it.`
    : text
