/** The fields of a model's form as controls: list, range, switch, number or text. A rule says why beside it. */
import type { Scalar } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { type ChangeEvent, useId } from 'react'
import { ruleText } from '../i18n/service-text.ts'
import { Field, NumberField } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { useTypedText } from '../ui/typed-text.ts'
import { aspectRatio, aspectRatioStyle } from '../video/aspect-ratio.ts'
import styles from './field-controls.module.css'
import {
  type FormField,
  fieldsOf,
  type Model,
  type Range,
  reasonAgainst,
  reasonAgainstField,
  valuesLeft,
} from './form-fields.ts'
import { type Draft, type FilmField, type FormValues, fit, valueAt } from './form-values.ts'

type Props = {
  model: Model
  draft: Draft
  values: FormValues
  /** `undefined` takes a wish back. */
  onChange: (name: string, value: Scalar | undefined) => void
}

export function FormFields({ model, draft, values, onChange }: Props) {
  // A value that no route of the model can do with any of the others is not offered.
  const isServed = (name: string, path: readonly string[], value: Scalar) =>
    valueAt(fit({ ...draft, fields: { ...draft.fields, [name]: value } }, model, name), path) === value
  const controls = fieldsOf(model, values.request).flatMap((field) => {
    const { name, path } = field
    const value = valueAt(values, path)
    const control = controlOf(field, (each) => isServed(name, path, each))
    return control ? [{ field, value, control }] : []
  })
  const drawn = controls.map(({ field, value, control }) => ({
    isMore: field.path.length > 1 || (!field.isRequired && control.as !== 'choice' && control.as !== 'switch'),
    control: (
      <Control
        key={field.path.join('.')}
        field={field}
        value={value}
        wish={draft.fields?.[field.name] ?? value}
        control={control}
        onChange={(next) => onChange(field.name, next)}
      />
    ),
  }))
  const more = drawn.filter(({ isMore }) => isMore)
  return (
    <div className={styles.fields}>
      {drawn.filter(({ isMore }) => !isMore).map(({ control }) => control)}
      {more.length > 0 ? (
        // An invalid field opens it: what is folded cannot have the focus.
        <details
          className={styles.more}
          onInvalidCapture={({ currentTarget }) => currentTarget.setAttribute('open', '')}
        >
          <summary>{t`More options`}</summary>
          <div className={styles.fields}>{more.map(({ control }) => control)}</div>
        </details>
      ) : null}
    </div>
  )
}

type Choice = { value: Scalar; reason: string | null }
type Drawn =
  | { as: 'choice'; choices: Choice[] }
  | { as: 'switch'; choices: Choice[] }
  | { as: 'slider'; range: Range }
  | { as: 'number'; range: Range }
  | { as: 'text'; maxLength: number }

/** @returns null for a field without a choice */
function controlOf(field: FormField, isServed: (value: Scalar) => boolean): Drawn | null {
  const left = valuesLeft(field)
  const values = field.values.kind === 'range' && left.kind === 'list' ? left : field.values
  switch (values.kind) {
    case 'none':
      return null
    case 'text':
      return { as: 'text', maxLength: values.maxLength }
    case 'range': {
      const range = left.kind === 'range' ? left.range : values.range
      return { as: field.isRequired ? 'slider' : 'number', range }
    }
    case 'list': {
      const choices = values.list.flatMap((value) => {
        const reason = reasonAgainst(field, value)
        return reason !== null || isServed(value) ? [{ value, reason }] : []
      })
      if (typeof values.list[0] === 'boolean') return choices.length > 1 ? { as: 'switch', choices } : null
      return choices.length > 0 ? { as: 'choice', choices } : null
    }
  }
}

type ControlProps = {
  field: FormField
  value: Scalar | undefined
  /** What the user has typed or chosen, for this model or another one. */
  wish: Scalar | undefined
  control: Drawn
  onChange: (value: Scalar | undefined) => void
}

function Control({ field, value, wish, control, onChange }: ControlProps) {
  const label = labelOf(field)
  const reasons = reasonsOf(field, control)
  switch (control.as) {
    case 'choice':
      return <Choices {...{ field, label, value, onChange, reasons }} choices={control.choices} />
    case 'switch':
      return <Switch {...{ field, label, value, onChange, reasons }} choices={control.choices} />
    case 'slider':
      return <Slider {...{ field, label, value, onChange, reasons }} range={control.range} />
    case 'number':
    case 'text':
      return <Typed {...{ field, label, wish, control, onChange, reasons }} />
  }
}

/** The sentences of the rules that forbid a value of the field now. */
function reasonsOf(field: FormField, control: Drawn): string[] {
  const ofField = reasonAgainstField(field)
  const ofValues = 'choices' in control ? control.choices.map(({ reason }) => reason) : []
  const ofRange = field.values.kind === 'range' ? field.rules.map(({ why }) => why) : []
  const reasons = ofField === null ? [...ofValues, ...ofRange] : [ofField]
  return [...new Set(reasons.flatMap((reason) => (reason === null ? [] : [reason || t`Not with the other choices`])))]
}

/** What the catalogue says of the field, or in its place why rules forbid a value. */
function Notes({ hint, reasons, id }: { hint?: string | undefined; reasons: string[]; id?: string }) {
  if (reasons.length === 0)
    return hint ? (
      <p className={styles.hint} lang="en">
        {hint}
      </p>
    ) : null
  return (
    <p className={styles.reason} id={id}>
      {reasons.map(ruleText).join(' · ')}
    </p>
  )
}

/** The words of the fields that all models may have; an option of one model has the title of the catalogue. */
const labels: Record<FilmField, () => string> = {
  aspectRatio: () => t`Aspect ratio`,
  quality: () => t`Quality`,
  duration: () => t`Duration`,
  audio: () => t`Sound`,
  seed: () => t`Seed`,
  negativePrompt: () => t`Not in the film`,
}
const labelOf = ({ name, title }: FormField): string =>
  Object.hasOwn(labels, name) ? labels[name as FilmField]() : (title ?? name)

const textOf = (name: string, value: Scalar): string => (name === 'duration' ? t`${Number(value)} s` : String(value))

type OfField<More> = More & {
  field: FormField
  label: string
  value: Scalar | undefined
  reasons: string[]
  onChange: (value: Scalar | undefined) => void
}

function Choices({ field, label, value, choices, reasons, onChange }: OfField<{ choices: Choice[] }>) {
  const { name } = field
  const reasonId = useId()
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.options}>
        {choices.map((choice) => (
          <label key={String(choice.value)} className={styles.option} data-forbidden={choice.reason !== null}>
            <input
              type="radio"
              name={name}
              className={styles.radio}
              checked={choice.value === value}
              disabled={choice.reason !== null}
              {...(choice.reason !== null && { 'aria-describedby': reasonId })}
              onChange={() => onChange(choice.value)}
            />
            {name === 'aspectRatio' ? <RatioIcon ratio={String(choice.value)} /> : null}
            {textOf(name, choice.value)}
          </label>
        ))}
      </div>
      <Notes hint={field.description} reasons={reasons} id={reasonId} />
    </fieldset>
  )
}

/** How many films the request makes at once. */
export function FilmCount({ max, chosen, onChange }: { max: number; chosen: number; onChange: (n: number) => void }) {
  if (max < 2) return null
  return (
    <fieldset>
      <legend className={styles.legend}>{t`Films at once`}</legend>
      <div className={styles.options}>
        {Array.from({ length: max }, (_, at) => at + 1).map((n) => (
          <label key={n} className={styles.option}>
            <input type="radio" name="n" className={styles.radio} checked={n === chosen} onChange={() => onChange(n)} />
            {formatNumber(n)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const RatioIcon = ({ ratio }: { ratio: string }) => (
  <span className={styles.ratioIcon} aria-hidden="true">
    <span className={styles.ratioShape} data-portrait={aspectRatio(ratio) < 1} style={aspectRatioStyle(ratio)} />
  </span>
)

function Switch({ field, label, value, choices, reasons, onChange }: OfField<{ choices: Choice[] }>) {
  const isFixed = choices.some(({ reason }) => reason !== null)
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          name={field.name}
          checked={value === true}
          disabled={isFixed}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      <Notes hint={field.description} reasons={reasons} />
    </div>
  )
}

function Slider({ field, label, value, range, reasons, onChange }: OfField<{ range: Range }>) {
  const id = useId()
  const isDuration = field.name === 'duration'
  return (
    <div>
      <label className={styles.legend} htmlFor={id}>
        {label}
      </label>
      <div className={styles.range}>
        <input
          id={id}
          type="range"
          min={range.from}
          max={range.to}
          step={range.isInteger ? 1 : 'any'}
          value={Number(value)}
          {...(isDuration && { 'aria-valuetext': plural(Number(value), { one: '# second', other: '# seconds' }) })}
          onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        />
        <output htmlFor={id} className={styles.seconds}>
          {textOf(field.name, value ?? '')}
        </output>
      </div>
      <Notes reasons={reasons} />
    </div>
  )
}

type TypedProps = Omit<OfField<{ wish: Scalar | undefined; control: Drawn }>, 'value'>

/** A number or a text that may be left out. A wish that the model cannot have stays, as what has to change. */
function Typed({ field, label, wish = '', control, reasons, onChange }: TypedProps) {
  const { typed, setTyped, reported } = useTypedText(String(wish))
  const isFree = reasonAgainstField(field) === null
  const isNumber = control.as === 'number'
  const ofField = {
    label,
    name: field.name,
    value: isFree ? typed : '',
    hint: reasons.length === 0 && field.description,
    disabled: !isFree,
    onChange: ({ target: { value } }: ChangeEvent<HTMLInputElement>) => {
      setTyped(value)
      const next = isNumber ? (value.trim() === '' || Number.isNaN(Number(value)) ? '' : Number(value)) : value
      reported.current = String(next)
      onChange(next === '' ? undefined : next)
    },
  }
  const max = control.as === 'text' ? control.maxLength : Number.POSITIVE_INFINITY
  const isTooLong = isFree && [...typed].length > max
  return (
    <div>
      {isNumber ? (
        <NumberField
          {...ofField}
          min={control.range.from}
          max={control.range.to}
          isInteger={control.range.isInteger}
          placeholder={field.name === 'seed' ? t`Random` : undefined}
        />
      ) : (
        <Field {...ofField} dir="auto" problem={isTooLong ? t`At most ${formatNumber(max)} characters fit.` : null} />
      )}
      <Notes reasons={reasons} />
    </div>
  )
}
