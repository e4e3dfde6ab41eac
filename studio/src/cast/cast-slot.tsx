/** A member of the cast among the references of the form: its pictures, and how many of them the film takes. */
import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import slotStyles from '../studio/input-fields.module.css'
import { Button } from '../ui/button.tsx'
import styles from './cast.module.css'
import type { Member } from './cast.ts'

type Props = {
  name: string
  /** Undefined: it is no more. */
  member: Member | undefined
  /** Those of its assets that the film takes. */
  taken: string[]
  /** As the prompt names them. */
  number: string
  modelName: string
  isUsed: boolean
  error: string | null
  moves: ReactNode
  onRemove: () => void
}

export function CastSlot({ name, member, taken, number, modelName, isUsed, error, moves, onRemove }: Props) {
  const assets = member?.assets ?? []
  return (
    <fieldset className={slotStyles.filled}>
      <legend className="hidden-text">{`@${name}`}</legend>
      <div className={slotStyles.slot}>
        {number ? <strong className={slotStyles.number}>{number}</strong> : null}
        <span className={styles.slotName}>{`@${name}`}</span>
        {moves}
        <Button kind="quiet" onClick={onRemove}>{t`Remove`}</Button>
        <div className={styles.taken}>
          {assets.map((asset) =>
            asset.kind === 'image' ? (
              <img
                key={asset.id}
                className={styles.picture}
                src={asset.url}
                alt=""
                loading="lazy"
                data-cut={!taken.includes(asset.id)}
              />
            ) : null,
          )}
          <p role="status">
            {error
              ? ''
              : !member
                ? t`It is no longer in your cast. Remove it.`
                : !isUsed
                  ? t`Not used together with the others.`
                  : taken.length < assets.length
                    ? t`${modelName} takes ${taken.length} of its ${assets.length} pictures, the first ones.`
                    : plural(taken.length, { one: '# picture', other: '# pictures' })}
          </p>
        </div>
      </div>
      {error ? (
        <p className={`field-error ${slotStyles.error}`} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
