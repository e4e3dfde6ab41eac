/** A model with its sample, usual time and the price of the film. */
import { t } from '@lingui/core/macro'
import { ModelSample } from '../video/model-sample.tsx'
import type { Model } from './form-fields.ts'
import { type Draft, fitAll, priceText, totalPrice } from './form-values.ts'
import { missingText } from './input-words.ts'
import styles from './model-field.module.css'
import { useSample } from './sample.ts'

/**
 * `rivals`: the models that make the film too; the price is of all. `isOffered`: it is one to choose, which says what
 * else it would need; of the chosen one the button says it.
 */
type RowProps = { model: Model; draft: Draft; isPreviewing?: boolean; rivals?: Model[]; isOffered?: boolean }

export function ModelRow({ model, draft, isPreviewing = false, rivals = [], isOffered = false }: RowProps) {
  const sample = useSample(model)
  const all = [model, ...rivals]
  const films = fitAll(draft, all)
  const price = totalPrice(all, films)
  return (
    <>
      {sample ? <ModelSample sample={sample} isPreviewing={isPreviewing} /> : null}
      <span className={styles.names}>
        <span className={styles.name}>{rivals.length > 0 ? t`${all.length} models` : model.name}</span>
        <span className={styles.fact}>
          {(rivals.length > 0
            ? all.map(({ name }) => name)
            : [model.provider, usualTime(model.usualSeconds), isOffered && films[0] ? missingText(films[0]) : null]
          )
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className={styles.price}>{price === null ? '' : priceText(price)}</span>
    </>
  )
}

/** 41 → "about 41 s", 130 → "about 2 min" */
export const usualTime = (seconds: number): string =>
  seconds < 90 ? t`about ${seconds} s` : t`about ${Math.round(seconds / 60)} min`
