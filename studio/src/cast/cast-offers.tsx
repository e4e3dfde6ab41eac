/** What the prompt names of the cast that the film would not show: said before it costs anything, with what to do. */
import { t } from '@lingui/core/macro'
import type { Model } from '../studio/form-fields.ts'
import type { Draft, FormValues } from '../studio/form-values.ts'
import { Button } from '../ui/button.tsx'
import styles from './cast.module.css'
import type { Member } from './cast.ts'
import { isUsed, placeOf, referencesMaxOf, withReference, withStart } from './cast-place.ts'
import { mentionedIn } from './mention.ts'

type Props = {
  cast: Member[]
  draft: Draft
  /** The model of the form, then those that are compared, each with its values. */
  models: Model[]
  all: FormValues[]
  onDraft: (change: (latest: Draft) => Draft) => void
}

export function CastOffers({ cast, draft, models, all, onDraft }: Props) {
  const offers = mentionedIn(draft.prompt ?? '', cast).flatMap((member) =>
    models.flatMap((model, at) => {
      const values = all[at]
      return values && values.promptUse !== 'none' && !isUsed(values, member)
        ? [{ member, model, isOfForm: at === 0 }]
        : []
    }),
  )
  if (offers.length === 0) return null
  return (
    <ul className={styles.offers} role="status">
      {offers.map(({ member, model, isOfForm }) => (
        <Offer key={`${member.name} ${model.id}`} {...{ member, model, draft, isOfForm, onDraft }} />
      ))}
    </ul>
  )
}

type OfferProps = Pick<Props, 'draft' | 'onDraft'> & { member: Member; model: Model; isOfForm: boolean }

function Offer({ member, model, draft, isOfForm, onDraft }: OfferProps) {
  const { name } = member
  const place = placeOf(model, draft)
  const isReference = place === 'reference'
  const canUse = isOfForm && (isReference || (place === 'start' && !draft.inputs?.start?.length))
  return (
    <li className={styles.offer}>
      <span>{offerText({ name, place, model, canUse })}</span>
      {canUse ? (
        <Button
          onClick={() =>
            onDraft((latest) => (isReference ? withReference(latest, model, member) : withStart(latest, model, member)))
          }
        >
          {isReference ? t`Use its pictures` : t`Use its first picture as start image`}
        </Button>
      ) : null}
    </li>
  )
}

type Said = { name: string; place: ReturnType<typeof placeOf>; model: Model; canUse: boolean }

function offerText({ name, place, model, canUse }: Said): string {
  if (place === 'reference') return t`The film does not show @${name} yet.`
  if (place === 'full')
    return t`${model.name} takes ${referencesMaxOf(model)} references. Remove one of them for @${name}.`
  return canUse
    ? t`${model.name} takes no references, so it does not know @${name}.`
    : t`${model.name} takes no references, so it does not know @${name}. Choose another model for it.`
}
