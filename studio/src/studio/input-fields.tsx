/** What a film is made from beside its prompt: the mode, where there are several, and a slot for each of its inputs. */
import type { Scalar } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { useFileDrop } from '../ui/file-drop.ts'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toasts.tsx'
import fieldStyles from './field-controls.module.css'
import { fieldAt, type Model, modeGroupsOf, type Use, usesOf, valuesLeft } from './form-fields.ts'
import {
  type Draft,
  type DraftInput,
  type FormValues,
  type InputError,
  inputsOf,
  KEYFRAME,
  nearestAspectRatio,
  REFERENCE,
  timeOf,
} from './form-values.ts'
import styles from './input-fields.module.css'
import { InputSlot } from './input-slot.tsx'
import { modeText } from './input-words.ts'
import { kindOfFile } from './upload.ts'

type Props = {
  model: Model
  draft: Draft
  values: FormValues
  /** What the API says of one of them. */
  error: InputError | null
  onMode: (mode: string) => void
  /** @param edit of the latest inputs of the role: an upload may end after other changes */
  onInputs: (role: string, edit: (latest: DraftInput[]) => DraftInput[], fields?: Record<string, Scalar>) => void
}

export function InputFields({ model, draft, values, error, onMode, onInputs }: Props) {
  const groups = modeGroupsOf(model)
  const group = groups.find((each) => each.some(({ name }) => name === values.mode.name)) ?? []
  const uses = usesOf(group)
  const slots = slotsOf(group, uses, draft)
  const isEmpty = slots.every(({ input }) => input === null)
  const isNumbered = slots.some(({ use, input }) => use.role === REFERENCE && input !== null)
  const targets = targetsOf(slots)
  useFileDrop(
    () => toast({ text: t`${model.name} takes no such file here. Choose another mode, or another model.` }),
    (file) => !targets.has(kindOfFile(file)),
  )
  const change = ({ use, input: before, at }: Slot, input: DraftInput | null) => {
    const { role } = use
    const ratio = input && SHAPING.includes(role) ? ratioFor(model, values, input) : undefined
    const edit = (latest: DraftInput[]) => {
      const others = latest.filter((each) => each !== before)
      if (input === null) return others
      const added = role === KEYFRAME && input.at === undefined ? { ...input, at: nextTime(latest, values) } : input
      return use.to > 1 ? others.toSpliced(before ? latest.indexOf(before) : at, 0, added) : [added]
    }
    onInputs(role, edit, ratio === undefined ? {} : { aspectRatio: ratio })
  }
  return (
    <>
      <ModePicker names={groups.flatMap(([first]) => first?.name ?? [])} chosen={group[0]?.name} onChoose={onMode} />
      {slots.length > 0 ? (
        <div className={styles.slots}>
          {slots.map((slot) => (
            <InputSlot
              key={`${slot.use.role} ${slot.at}`}
              {...slot}
              mode={values.mode.name}
              ratio={String(values.request.aspectRatio ?? '')}
              time={slot.input ? timeOf(values, slot.input) : 0}
              isUsed={values.mode.inputs.some(({ role }) => role === slot.use.role)}
              dropKinds={[...targets].flatMap(([kind, target]) => (target === slot ? [kind] : []))}
              error={error !== null && error.input === slot.input ? error.message : null}
              onChange={(input) => change(slot, input)}
              onMove={(by) => onInputs(slot.use.role, (latest) => moved(latest, slot.input, by))}
            />
          ))}
          {isNumbered ? <p className={styles.dropHint}>{t`The prompt names them by their numbers: @1, @2.`}</p> : null}
          {isEmpty ? <p className={styles.dropHint}>{t`or drop it on this page, or paste it`}</p> : null}
        </div>
      ) : null}
    </>
  )
}

/** The film has the shape of their picture, as far as the model has it. */
const SHAPING = ['start', 'portrait']

/** `at`: its place among those of its role, of `count`. */
type Slot = { use: Use; input: DraftInput | null; at: number; count: number }

/** The inputs that are there, and an empty slot where a mode takes another one together with them. */
function slotsOf(group: ReturnType<typeof modeGroupsOf>[number], uses: Use[], draft: Draft): Slot[] {
  const present = uses.filter(({ role, kinds }) => inputsOf(draft, role, kinds).length > 0).map(({ role }) => role)
  const isCombinable = (role: string) =>
    group.some(({ inputs }) => [role, ...present].every((each) => inputs.some((use) => use.role === each)))
  return uses.flatMap((use) => {
    const inputs = inputsOf(draft, use.role, use.kinds)
    const count = inputs.length
    const isOpen = count < use.to && isCombinable(use.role)
    return [
      ...inputs.map((input, at) => ({ use, input, at, count })),
      ...(isOpen ? [{ use, input: null, at: count, count }] : []),
    ]
  })
}

/** Which slot takes a file of a kind that is dropped on the page: the first empty one, else the first. */
function targetsOf(slots: Slot[]): Map<string, Slot> {
  const targets = new Map<string, Slot>()
  for (const slot of slots.toSorted((a, b) => Number(a.input !== null) - Number(b.input !== null)))
    for (const kind of slot.use.kinds) if (!targets.has(kind)) targets.set(kind, slot)
  return targets
}

const KEYFRAMES_APART_S = 2
/** Of a new keyframe: the beginning, then some time later, within the film. */
function nextTime(latest: DraftInput[], { seconds }: FormValues): number {
  const last = latest.at(-1)?.at
  return last === undefined ? 0 : Math.min(seconds ?? Infinity, last + KEYFRAMES_APART_S)
}

function moved(latest: DraftInput[], input: DraftInput | null, by: number): DraftInput[] {
  const from = input ? latest.indexOf(input) : -1
  return input && from >= 0 ? latest.toSpliced(from, 1).toSpliced(from + by, 0, input) : latest
}

/** The aspect ratio of which a picture fills most; undefined where the film follows the picture. */
function ratioFor(model: Model, { request }: FormValues, input: DraftInput): string | undefined {
  const field = fieldAt(model.schema, ['aspectRatio'], request)
  const left = field ? valuesLeft(field) : null
  return left?.kind === 'list' ? nearestAspectRatio(left.list, input) : undefined
}

type PickerProps = { names: string[]; chosen: string | undefined; onChoose: (name: string) => void }

/** More are a list to open: they would push the slots out of sight. */
const MODES_SHOWN_MAX = 3

function ModePicker({ names, chosen, onChoose }: PickerProps) {
  const id = useId()
  if (names.length < 2) return null
  if (names.length > MODES_SHOWN_MAX)
    return (
      <div className={styles.modes}>
        <label className={fieldStyles.legend} htmlFor={id}>
          {t`Mode`}
        </label>
        <Select
          id={id}
          value={chosen}
          options={names.map((name) => [name, modeText(name)] as const)}
          onSelect={(name) => name && onChoose(name)}
        />
      </div>
    )
  return (
    <fieldset className={styles.modes}>
      <legend className={fieldStyles.legend}>{t`Mode`}</legend>
      <div className={fieldStyles.options}>
        {names.map((name) => (
          <label key={name} className={fieldStyles.option}>
            <input
              type="radio"
              name="mode"
              className={fieldStyles.radio}
              checked={name === chosen}
              onChange={() => onChoose(name)}
            />
            {modeText(name)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
