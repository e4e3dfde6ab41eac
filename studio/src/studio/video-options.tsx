/** How long, in which shape and how fine: what the chosen model offers of each. */

import { isUpright, ratioStyle } from '../video/aspect-ratio.ts'
import type { FormValues, Model } from './form-values.ts'
import css from './generate-form.module.css'

type Props = { wish: FormValues; model: Model; onChange: (part: Partial<FormValues>) => void }

export function VideoOptions({ wish, model, onChange }: Props) {
  return (
    <div className={css.choices}>
      <fieldset>
        <legend className={css.legend}>Shape</legend>
        <div className={css.options}>
          {model.aspectRatios.map((ratio) => (
            <label key={ratio} className={css.option}>
              <input
                type="radio"
                name="aspectRatio"
                className={css.pick}
                checked={ratio === wish.aspectRatio}
                onChange={() => onChange({ aspectRatio: ratio })}
              />
              <span className={css.shapePlace} aria-hidden="true">
                <span className={css.shape} data-upright={isUpright(ratio)} style={ratioStyle(ratio)} />
              </span>
              {ratio}
            </label>
          ))}
        </div>
      </fieldset>
      <div className={css.row}>
        <Quality wish={wish} model={model} onChange={onChange} />
        <Duration wish={wish} model={model} onChange={onChange} />
      </div>
    </div>
  )
}

function Quality({ wish, model, onChange }: Props) {
  return (
    <fieldset>
      <legend className={css.legend}>Quality</legend>
      <div className={css.options}>
        {model.resolutions.map((quality) => (
          <label key={quality} className={css.option}>
            <input
              type="radio"
              name="quality"
              className={css.pick}
              checked={quality === wish.quality}
              onChange={() => onChange({ quality })}
            />
            {quality}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Duration({ wish, model, onChange }: Props) {
  return (
    <div className={css.duration}>
      <label className={css.legend} htmlFor="duration">
        Length
      </label>
      <div className={css.range}>
        <input
          id="duration"
          type="range"
          min={model.minDuration}
          max={model.maxDuration}
          value={wish.duration}
          aria-valuetext={`${wish.duration} seconds`}
          onChange={(event) => onChange({ duration: event.currentTarget.valueAsNumber })}
        />
        <output htmlFor="duration" className={css.seconds}>
          {wish.duration} s
        </output>
      </div>
    </div>
  )
}
