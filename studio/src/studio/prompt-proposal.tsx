/**
 * Another text of the prompt, as the writer proposes it: what would change of the user's own is marked. Invariant: the
 * prompt stays as it is until the user takes the proposal.
 */
import { t } from '@lingui/core/macro'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { dataOf, kinora } from '../api.ts'
import { useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './prompt-proposal.module.css'
import { type TextChange, textChanges, wordsIn } from './text-changes.ts'

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  /** What has opened it. */
  button: RefObject<HTMLButtonElement | null>
  value: string
  model: string
  /** Whether the prompt can be sent to the writer. */
  isAskable: boolean
  onChange: (prompt: string) => void
  onClose: () => void
}

export function PromptProposal({ field, button, value, model, isAskable, onChange, onClose }: Props) {
  const own = value.trim()
  const { mutate, data, error, isPending } = useAction({
    send: (prompt: string) => dataOf(kinora.POST('/api/v1/writer/prompt', { body: { prompt, model } })),
  })
  const ask = () => mutate(own)
  const askFirst = useEffectEvent(ask)
  useEffect(() => askFirst(), [])
  const use = (prompt: string) => {
    flushSync(() => onChange(prompt))
    toast({ text: t`Your prompt is replaced.`, action: { label: t`Undo`, onClick: () => onChange(value) } })
    onClose()
    field.current?.focus()
  }
  const close = () => {
    onClose()
    button.current?.focus()
  }
  const isChange = data !== undefined && data.prompt !== own
  return (
    <section className={`stack ${styles.proposal}`} aria-label={t`Proposed prompt`}>
      {data ? (
        <Changes own={own} proposed={data.prompt} />
      ) : error ? (
        <ErrorState error={error} />
      ) : (
        <LoadingState label={t`The writer reads your prompt`}>
          <div className={styles.skeleton}>
            {['100%', '92%', '64%'].map((width) => (
              <SkeletonBlock key={width} width={width} height="16px" />
            ))}
          </div>
        </LoadingState>
      )}
      <div className="row">
        {isChange ? <Button onClick={() => use(data.prompt)}>{t`Use it`}</Button> : null}
        <Button onClick={close}>{t`Keep mine`}</Button>
        {isPending ? null : (
          <Button kind="quiet" disabled={!isAskable} onClick={ask}>
            {t`Try again`}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Against the prompt as it is now, which the user may have changed since the writer was asked. */
function Changes({ own, proposed }: { own: string; proposed: string }) {
  const changes = textChanges(own, proposed)
  const count = (kind: string) =>
    formatNumber(changes.reduce((sum, change) => sum + (change.kind === kind ? wordsIn(change.text) : 0), 0))
  return (
    <>
      <p className={styles.text} dir="auto">
        {changes.map((change) => (
          <Marked key={change.place} {...change} />
        ))}
      </p>
      <p className="quiet small" role="status">
        {own === proposed
          ? t`The writer would change nothing.`
          : t`Proposed by a language model. Words added: ${count('added')}, removed: ${count('removed')}`}
      </p>
    </>
  )
}

/** The white space around it is not marked. */
function Marked({ kind, text }: TextChange) {
  if (kind === 'same') return text
  const words = text.trim()
  const at = text.indexOf(words)
  return (
    <>
      {text.slice(0, at)}
      {kind === 'added' ? <ins className={styles.added}>{words}</ins> : <del className={styles.removed}>{words}</del>}
      {text.slice(at + words.length)}
    </>
  )
}
