/** Aspect ratio, quality and duration, as far as the chosen model supports them. */

import { aspectRatio, aspectRatioStyle } from '../video/aspect-ratio.ts'
import type { FormValues, Model } from './form-values.ts'
import css from './generate-form.module.css'

type Props = { values: FormValues; model: Model; onChange: (part: Partial<FormValues>) => void }

export function VideoOptions({ values, model, onChange }: Props) {
  return (
    <div className={css.optionGroups}>
      <fieldset>
        <legend className={css.legend}>Shape</legend>
        <div className={css.options}>
          {model.aspectRatios.map((ratio) => (
            <label key={ratio} className={css.option}>
              <input
                type="radio"
                name="aspectRatio"
                className={css.radio}
                checked={ratio === values.aspectRatio}
                onChange={() => onChange({ aspectRatio: ratio })}
              />
              <span className={css.ratioIcon} aria-hidden="true">
                <span
                  className={css.ratioShape}
                  data-portrait={aspectRatio(ratio) < 1}
                  style={aspectRatioStyle(ratio)}
                />
              </span>
              {ratio}
            </label>
          ))}
        </div>
      </fieldset>
      <div className={css.row}>
        <Quality values={values} model={model} onChange={onChange} />
        <Duration values={values} model={model} onChange={onChange} />
      </div>
    </div>
  )
}

function Quality({ values, model, onChange }: Props) {
  return (
    <fieldset>
      <legend className={css.legend}>Quality</legend>
      <div className={css.options}>
        {model.resolutions.map((quality) => (
          <label key={quality} className={css.option}>
            <input
              type="radio"
              name="quality"
              className={css.radio}
              checked={quality === values.quality}
              onChange={() => onChange({ quality })}
            />
            {quality}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Duration({ values, model, onChange }: Props) {
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
          value={values.duration}
          aria-valuetext={`${values.duration} seconds`}
          onChange={(event) => onChange({ duration: event.currentTarget.valueAsNumber })}
        />
        <output htmlFor="duration" className={css.seconds}>
          {values.duration} s
        </output>
      </div>
    </div>
  )
}
