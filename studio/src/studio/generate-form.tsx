/** The generate form: the prompt, the inputs, the model with its options, and the price on the button. */

import type { Scalar } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { FirstMember } from '../cast/first-member.tsx'
import { useCast } from '../cast/load-cast-form.ts'
import { useShortcut } from '../shell/use-shortcut.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { isComposing } from '../ui/composition.ts'
import { LabelledControl } from '../ui/field.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { formatNumber } from '../ui/format.ts'
import { EmptyState } from '../ui/states.tsx'
import { readPrompts, rememberPrompt } from './draft.ts'
import { FilmCount, FormFields } from './field-controls.tsx'
import { fieldsOf, type Model } from './form-fields.ts'
import {
  type Draft,
  type DraftInput,
  EXAMPLE_PROMPT,
  type FormValues,
  filmsMaxOf,
  filmsOf,
  fit,
  fitAll,
  inputError,
  modelOf,
  PROMPT_CHARACTERS_MAX,
  promptError,
  valueAt,
} from './form-values.ts'
import { type ShotOf, useGenerate } from './generate.ts'
import { GenerateButton } from './generate-button.tsx'
import styles from './generate-form.module.css'
import { InputFields } from './input-fields.tsx'
import { missingText } from './input-words.ts'
import { ModelField } from './model-field.tsx'
import { usePrice } from './price.ts'
import { PromptHelp } from './prompt-help.tsx'
import { PromptTemplates, useOpenPlaceholder } from './prompt-templates.tsx'
import { useIsUploading } from './upload.ts'

/** Loaded on demand: for comparisons alone. */
const LengthsNote = lazy(() => import('./lengths-note.tsx').then((module) => ({ default: module.LengthsNote })))

type Props = {
  userId: string
  models: Model[]
  draft: Draft
  /** Merges into the latest draft: a late change, such as an uploaded file, must not undo edits made meanwhile. */
  onChange: (change: (latest: Draft) => Draft) => void
  onCreated: (uuids: string[]) => void
  /** The films are takes of it. */
  shot?: ShotOf | undefined
}

export function GenerateForm(props: Props) {
  const model = modelOf(props.draft, props.models)
  // A file that is dropped where no field takes it would replace the page.
  useFileDrop(null)
  if (!model)
    return <EmptyState>{t`There is no model at the moment. Films can be made again when one is back.`}</EmptyState>
  return <ModelForm {...props} model={model} />
}

function ModelForm({ userId, models, model, draft, onChange, onCreated, shot }: Props & { model: Model }) {
  const promptField = useRef<HTMLTextAreaElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const [wasSubmitted, setSubmitted] = useState(false)
  const compared = shot ? [] : (draft.compared ?? [])
  const rivals = compared.flatMap((id) => models.find((each) => each.id === id && id !== model.id) ?? [])
  const chosen: [Model, ...Model[]] = [model, ...rivals]
  const all = fitAll(draft, chosen)
  const [values = fit(draft, model)] = all
  const { cast, form } = useCast()
  const isUploading = useIsUploading()
  const isMaker = isAtLeast(useTeam(), 'maker')
  const { generate, isPending, error, submitted, reset } = useGenerate(userId, onCreated, shot)
  const price = usePrice(chosen, all, () => {
    if (values.prompt.trim()) rememberPrompt(userId, values.prompt.trim())
    generate(all)
  })
  const edit = (change: (latest: Draft) => Draft) => {
    // The error belongs to the values before this change.
    if (error) reset()
    onChange(change)
  }
  const change = (part: Part) => edit((latest) => merged(latest, part))
  // Ignore an error of earlier inputs.
  const isOfTheseInputs = JSON.stringify(submitted?.[0]?.request) === JSON.stringify(values.request)
  const inputProblem =
    (isOfTheseInputs ? inputError(error, values) : null) ?? (price.isRequested ? inputError(price.error, values) : null)
  const invalidPrompt = promptError(draft.prompt ?? '', values.promptUse)
  const missing = all.map(missingText).find((text) => text !== null) ?? null
  const submit = () => {
    setSubmitted(true)
    if (invalidPrompt) return promptField.current?.focus()
    // A field that cannot be sent takes the focus itself, out of what is folded.
    if (root.current?.querySelector<HTMLInputElement>('input:invalid')?.checkValidity() === false) return
    if (!isMaker || missing !== null || isPending || isUploading) return
    price.press()
  }
  useShortcut((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    event.preventDefault()
    submit()
  })
  return (
    <div ref={root} className={styles.form}>
      <div className={styles.fields}>
        <div className={styles.promptGroup}>
          <PromptField
            {...{ field: promptField, userId, values }}
            error={wasSubmitted || draft.prompt ? invalidPrompt : null}
            onChange={(prompt) => change({ prompt })}
          />
          {/* Without a prompt a film shows nobody but who is in its inputs. */}
          {values.promptUse === 'none' ? null : form && cast.length > 0 ? (
            <form.CastFields {...{ cast, draft, all }} field={promptField} models={chosen} onDraft={edit} />
          ) : (
            <FirstMember />
          )}
          <InputFields
            {...{ model, draft, values }}
            error={inputProblem}
            onMode={(mode) => change({ mode })}
            onInputs={(role, change, fields) => edit((latest) => merged(withInputs(latest, role, change), { fields }))}
          />
        </div>
        <Options
          {...{ models, model, draft, values, rivals, all }}
          onChange={change}
          onCompare={shot ? undefined : (compared) => change({ compared })}
        />
      </div>
      <GenerateButton
        films={all.reduce((films, each) => films + filmsOf(each), 0)}
        price={price}
        busy={isPending || isUploading || price.isPressed}
        missing={missing}
        wasPressed={wasSubmitted}
        values={values}
        error={error}
        onSubmit={submit}
      />
    </div>
  )
}

type OptionsProps = {
  models: Model[]
  model: Model
  draft: Draft
  values: FormValues
  rivals: Model[]
  /** What each of the models makes. */
  all: FormValues[]
  onChange: (part: Part) => void
  onCompare: ((ids: string[]) => void) | undefined
}

/** The model and its fields; on a narrow page behind one tap. */
function Options({ models, model, draft, values, rivals, all, onChange, onCompare }: OptionsProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Button className={styles.optionsToggle} aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        <span>{t`Options`}</span>
        <span className={styles.optionsSummary}>{[model.name, ...summaryOf(model, values)].join(' · ')}</span>
      </Button>
      <div className={styles.options} data-shown={isShown} onInvalidCapture={() => flushSync(() => setShown(true))}>
        <ModelField
          models={models}
          draft={draft}
          chosen={model}
          values={values}
          rivals={rivals.map(({ id }) => id)}
          onChoose={(id) => onChange({ model: id })}
          onCompare={onCompare}
        />
        <Suspense>{rivals.length > 0 ? <LengthsNote all={all} models={[model, ...rivals]} /> : null}</Suspense>
        <FormFields {...{ model, draft, values }} onChange={(name, value) => onChange({ fields: { [name]: value } })} />
        <FilmCount max={filmsMaxOf(model, values.request)} chosen={filmsOf(values)} onChange={(n) => onChange({ n })} />
      </div>
    </>
  )
}

/** A change of the draft; a field that is undefined is taken back. */
type Part = Omit<Draft, 'fields'> & { fields?: Record<string, Scalar | undefined> | undefined }

function merged({ fields, ...latest }: Draft, part: Part): Draft {
  const next = Object.entries({ ...fields, ...part.fields }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return { ...latest, ...part, fields: Object.fromEntries(next) }
}

const withInputs = (draft: Draft, role: string, change: (inputs: DraftInput[]) => DraftInput[]): Draft => ({
  ...draft,
  inputs: { ...draft.inputs, [role]: change(draft.inputs?.[role] ?? []) },
})

/** What stands in for the options where they are folded. */
const summaryOf = (model: Model, values: FormValues): string[] =>
  fieldsOf(model, values.request)
    .filter(({ isRequired, name }) => isRequired || name === 'quality')
    .flatMap(({ name, path, values: { kind } }) => {
      const value = valueAt(values, path)
      if (value === undefined || kind === 'none') return []
      return name === 'duration' ? t`${Number(value)} s` : String(value)
    })

const COUNT_SHOWN_ABOVE = PROMPT_CHARACTERS_MAX - 500

type PromptProps = {
  field: RefObject<HTMLTextAreaElement | null>
  userId: string
  values: FormValues
  error: string | null
  onChange: (text: string) => void
}

/**
 * The prompt, unless the mode has none: a textarea that grows with its text; a character count appears near the limit.
 * Arrow up in an empty field, or at the beginning of a recalled prompt, brings the one before.
 */
function PromptField({ field, userId, values, error, onChange }: PromptProps) {
  const { prompt: value, promptUse } = values
  const onKeyDown = usePromptHistory(userId, value, onChange)
  const length = [...value.trim()].length
  const placeholder = useOpenPlaceholder(value)
  const count = t`${formatNumber(length)} of ${formatNumber(PROMPT_CHARACTERS_MAX)} characters`
  if (promptUse === 'none') return null
  return (
    <>
      <LabelledControl
        label={promptUse === 'required' ? t`Prompt` : t`Prompt, if you like`}
        error={error ?? undefined}
        hint={length > COUNT_SHOWN_ABOVE && !error ? count : placeholder && t`Write your own words for ${placeholder}.`}
        control={(props) => (
          <textarea
            {...props}
            ref={field}
            name="prompt"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder={t`What the film shows, in your own words`}
            // A new account's form has an example, which the first key replaces.
            onFocus={({ currentTarget }) => value === EXAMPLE_PROMPT && currentTarget.select()}
            onKeyDown={onKeyDown}
            rows={4}
            dir="auto"
            className={`input ${styles.prompt}`}
          />
        )}
      />
      <PromptHelp {...{ field, value, onChange }} model={String(values.request.model)} />
      <PromptTemplates field={field} value={value} onChange={onChange} />
    </>
  )
}

/** Only where the key has nothing else to do: in an empty field, or in an unchanged prompt of the history. */
function usePromptHistory(userId: string, value: string, onChange: (text: string) => void) {
  const [at, setAt] = useState(-1)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const prompts = readPrompts(userId)
    const current = value === '' ? -1 : prompts[at] === value ? at : null
    if (step === 0 || current === null || event.shiftKey || isComposing(event.nativeEvent)) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const isAtEdge = step > 0 ? selectionEnd === 0 : selectionStart === value.length
    const next = current + step
    if (!isAtEdge || next < -1 || next >= prompts.length) return
    event.preventDefault()
    const field = event.currentTarget
    // Written at once: the next key may arrive before the next frame, and the caret decides what it means.
    flushSync(() => {
      setAt(next)
      onChange(prompts[next] ?? '')
    })
    const caret = step > 0 ? 0 : field.value.length
    field.setSelectionRange(caret, caret)
  }
}
