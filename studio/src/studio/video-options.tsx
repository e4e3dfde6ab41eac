/** Aspect ratio, quality and duration, as far as the chosen model supports them. */

import { aspectRatio, aspectRatioStyle } from '../video/aspect-ratio.ts'
import type { FormValues, Model } from './form-values.ts'
import styles from './generate-form.module.css'

type Props = { values: FormValues; model: Model; onChange: (part: Partial<FormValues>) => void }

export function VideoOptions({ values, model, onChange }: Props) {
  return (
    <div className={styles.optionGroups}>
      <fieldset>
        <legend className={styles.legend}>Shape</legend>
        <div className={styles.options}>
          {model.aspectRatios.map((ratio) => (
            <label key={ratio} className={styles.option}>
              <input
                type="radio"
                name="aspectRatio"
                className={styles.radio}
                checked={ratio === values.aspectRatio}
                onChange={() => onChange({ aspectRatio: ratio })}
              />
              <span className={styles.ratioIcon} aria-hidden="true">
                <span
                  className={styles.ratioShape}
                  data-portrait={aspectRatio(ratio) < 1}
                  style={aspectRatioStyle(ratio)}
                />
              </span>
              {ratio}
            </label>
          ))}
        </div>
      </fieldset>
      <div className={styles.row}>
        <Quality values={values} model={model} onChange={onChange} />
        <Duration values={values} model={model} onChange={onChange} />
      </div>
    </div>
  )
}

function Quality({ values, model, onChange }: Props) {
  return (
    <fieldset>
      <legend className={styles.legend}>Quality</legend>
      <div className={styles.options}>
        {model.resolutions.map((quality) => (
          <label key={quality} className={styles.option}>
            <input
              type="radio"
              name="quality"
              className={styles.radio}
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
    <div className={styles.duration}>
      <label className={styles.legend} htmlFor="duration">
        Length
      </label>
      <div className={styles.range}>
        <input
          id="duration"
          type="range"
          min={model.minDuration}
          max={model.maxDuration}
          value={values.duration}
          aria-valuetext={`${values.duration} seconds`}
          onChange={(event) => onChange({ duration: event.currentTarget.valueAsNumber })}
        />
        <output htmlFor="duration" className={styles.seconds}>
          {values.duration} s
        </output>
      </div>
    </div>
  )
}
