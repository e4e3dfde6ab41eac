/** Aspect ratio, quality and duration, as far as the chosen model supports them. */
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { aspectRatio, aspectRatioStyle } from '../video/aspect-ratio.ts'
import type { FormValues, Model } from './form-values.ts'
import styles from './generate-form.module.css'

type Props = { values: FormValues; model: Model; onChange: (part: Partial<FormValues>) => void }

export function VideoOptions({ values, model, onChange }: Props) {
  return (
    <div className={styles.optionGroups}>
      <RadioGroup
        legend={t`Shape`}
        name="aspectRatio"
        options={model.aspectRatios}
        value={values.aspectRatio}
        onChange={(aspectRatio) => onChange({ aspectRatio })}
        icon={(ratio) => (
          <span className={styles.ratioIcon} aria-hidden="true">
            <span
              className={styles.ratioShape}
              data-portrait={aspectRatio(ratio) < 1}
              style={aspectRatioStyle(ratio)}
            />
          </span>
        )}
      />
      <div className={styles.row}>
        <RadioGroup
          legend={t`Quality`}
          name="quality"
          options={model.resolutions}
          value={values.quality}
          onChange={(quality) => onChange({ quality })}
        />
        <Duration values={values} model={model} onChange={onChange} />
      </div>
    </div>
  )
}

type RadioGroupProps = {
  legend: string
  name: string
  options: string[]
  value: string
  onChange: (option: string) => void
  icon?: (option: string) => ReactNode
}

function RadioGroup({ legend, name, options, value, onChange, icon }: RadioGroupProps) {
  return (
    <fieldset>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option} className={styles.option}>
            <input
              type="radio"
              name={name}
              className={styles.radio}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            {icon?.(option)}
            {option}
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
        {t`Length`}
      </label>
      <div className={styles.range}>
        <input
          id="duration"
          type="range"
          min={model.minDuration}
          max={model.maxDuration}
          value={values.duration}
          aria-valuetext={t`${values.duration} seconds`}
          onChange={(event) => onChange({ duration: event.currentTarget.valueAsNumber })}
        />
        <output htmlFor="duration" className={styles.seconds}>
          {t`${values.duration} s`}
        </output>
      </div>
    </div>
  )
}
