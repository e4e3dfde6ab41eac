/**
 * The cast in the form: its shelf below the prompt, what the prompt names of it that the film would not show, the names
 * that complete in the prompt, and members among the references. Loaded once there is a cast.
 */
import type { RefObject } from 'react'
import type { Model } from '../studio/form-fields.ts'
import { type Draft, EXAMPLE_PROMPT, type FormValues } from '../studio/form-values.ts'
import type { Member } from './cast.ts'
import { CastOffers } from './cast-offers.tsx'
import { afterChange, isUsed, withReference } from './cast-place.ts'
import { CastShelf } from './cast-shelf.tsx'
import { withMention } from './mention.ts'
import { Mentions, writeAt } from './mention-list.tsx'

type Props = {
  cast: Member[]
  field: RefObject<HTMLTextAreaElement | null>
  draft: Draft
  /** The model of the form, then those that are compared, each with its values. */
  models: [Model, ...Model[]]
  all: FormValues[]
  onDraft: (change: (latest: Draft) => Draft) => void
}

export function CastFields({ cast, field, draft, models, all, onDraft }: Props) {
  const [values] = all
  /** The member goes into the prompt, at the caret, and where the model takes references among them. */
  const choose = (member: Member) => {
    const { current } = field
    const text = values && values.prompt !== EXAMPLE_PROMPT ? values.prompt : ''
    const [start, end] = current && text ? [current.selectionStart, current.selectionEnd] : [0, 0]
    const mentioned = withMention(text, { start, end }, member.name)
    writeAt(field, mentioned.caret, () =>
      onDraft((latest) => withReference(current ? { ...latest, prompt: mentioned.text } : latest, models[0], member)),
    )
  }
  return (
    <>
      {values ? (
        <Mentions
          {...{ field, cast }}
          value={values.prompt}
          onText={(prompt) => onDraft((latest) => ({ ...latest, prompt }))}
          onChoose={(member) => onDraft((latest) => withReference(latest, models[0], member))}
        />
      ) : null}
      <CastShelf
        cast={cast}
        isUsed={(member) => values !== undefined && isUsed(values, member)}
        onChoose={choose}
        onChanged={(before, after) => onDraft((latest) => afterChange(latest, before, after))}
      />
      <CastOffers {...{ cast, draft, models, all, onDraft }} />
    </>
  )
}

export { CastSlot } from './cast-slot.tsx'
