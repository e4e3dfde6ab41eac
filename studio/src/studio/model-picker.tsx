/** The models that can be asked for now, each with what it can do and what it takes for it. */

import { type Model, priceLabel } from './form-values.ts'
import css from './generate-form.module.css'

type Props = { models: Model[]; chosen: string; onChoose: (id: string) => void }

export function ModelPicker({ models, chosen, onChoose }: Props) {
  return (
    <fieldset>
      <legend className={css.legend}>Model</legend>
      <div className={css.models}>
        {models.map((model) => (
          <label key={model.id} className={css.model}>
            <input
              type="radio"
              name="model"
              className={css.pick}
              value={model.id}
              checked={model.id === chosen}
              onChange={() => onChoose(model.id)}
            />
            <span className={css.modelName}>
              {model.name} <span className="quiet small">{model.provider}</span>
            </span>
            <span className={css.modelFact}>{modesInWords(model.modes)}</span>
            <span className={css.modelFact}>
              {model.minDuration} to {model.maxDuration} s · {model.resolutions.join(', ')}
            </span>
            <span className={css.modelPrice}>{priceLabel(model)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function modesInWords(modes: string[]): string {
  const image = modes.includes('image-to-video')
  if (!image) return 'From text'
  return modes.includes('text-to-video') ? 'From text or an image' : 'From an image'
}
