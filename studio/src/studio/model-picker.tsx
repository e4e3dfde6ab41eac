/** The available models as radio cards: modes, durations, resolutions and price. */
import { t } from '@lingui/core/macro'
import { formatList } from '../ui/format.ts'
import { type Model, priceLabel } from './form-values.ts'
import styles from './generate-form.module.css'

type Props = { models: Model[]; chosenId: string; onChoose: (id: string) => void }

export function ModelPicker({ models, chosenId, onChoose }: Props) {
  return (
    <fieldset>
      <legend className={styles.legend}>{t`Model`}</legend>
      <div className={styles.models}>
        {models.map((model) => (
          <label key={model.id} className={styles.model}>
            <input
              type="radio"
              name="model"
              className={styles.radio}
              value={model.id}
              checked={model.id === chosenId}
              onChange={() => onChoose(model.id)}
            />
            <span className={styles.modelName}>
              {model.name} <span className="quiet small">{model.provider}</span>
            </span>
            <span className={styles.modelFact}>{modesLabel(model.modes)}</span>
            <span className={styles.modelFact}>
              {t`${model.minDuration} to ${model.maxDuration} s · ${formatList(model.resolutions)}`}
            </span>
            <span className={styles.modelPrice}>{priceLabel(model)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function modesLabel(modes: string[]): string {
  const takesImage = modes.includes('image-to-video')
  if (!takesImage) return t`From text`
  return modes.includes('text-to-video') ? t`From text or an image` : t`From an image`
}
