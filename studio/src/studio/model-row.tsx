/** A model with its sample, usual time and the price of the film. */
import { t } from '@lingui/core/macro'
import { factsLine } from '../ui/facts-line.ts'
import { ModelSample } from '../video/model-sample.tsx'
import type { Model } from './form-fields.ts'
import { type Draft, fitAll, priceText, totalPrice } from './form-values.ts'
import styles from './model-field.module.css'
import { useSamples } from './sample.ts'

/** `rivals`: the models that make the film too; the price is of all. */
type RowProps = { model: Model; draft: Draft; rivals?: Model[] }

export function ModelRow({ model, draft, rivals = [] }: RowProps) {
  const sample = useSamples()(model.id)
  const all = [model, ...rivals]
  const films = fitAll(draft, all)
  const price = totalPrice(all, films)
  return (
    <>
      {sample ? <ModelSample sample={sample} isPreviewing={false} /> : null}
      <span className={styles.names}>
        <span className={styles.name}>{rivals.length > 0 ? t`${all.length} models` : model.name}</span>
        <span className={styles.fact}>
          {factsLine(
            ...(rivals.length > 0 ? all.map(({ name }) => name) : [model.provider, usualTime(model.usualSeconds)]),
          )}
        </span>
      </span>
      <span className={styles.price}>{price === null ? '' : priceText(price)}</span>
    </>
  )
}

/** 41 → "about 41 s", 130 → "about 2 min" */
export const usualTime = (seconds: number): string =>
  seconds < 90 ? t`about ${seconds} s` : t`about ${Math.round(seconds / 60)} min`
