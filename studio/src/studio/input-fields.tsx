/** What a film is made from beside its prompt: the mode, where there are several, and a slot for each of its inputs. */
import type { Scalar } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { Member } from '../cast/cast.ts'
import { useCast } from '../cast/load-cast-form.ts'
import { memberNameIn, takenOf } from '../cast/references.ts'
import { modeText } from '../film-name.ts'
import { Button } from '../ui/button.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toasts.tsx'
import { kindOfFile } from './asset-file.ts'
import fieldStyles from './field-controls.module.css'
import { type Model, modeGroupsOf, type Use, usesOf } from './form-fields.ts'
import {
  type Draft,
  type DraftInput,
  type FormValues,
  type InputError,
  inputsOf,
  KEYFRAME,
  REFERENCE,
  ratioFor,
  timeOf,
} from './form-values.ts'
import styles from './input-fields.module.css'
import { InputSlot } from './input-slot.tsx'

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
  const { cast } = useCast()
  const groups = modeGroupsOf(model)
  const group = groups.find((each) => each.some(({ name }) => name === values.mode.name)) ?? []
  const uses = usesOf(group)
  const slots = slotsOf(group, uses, draft, cast)
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
            <SlotField
              key={`${slot.use.role} ${slot.at}`}
              {...{ slot, model, values, error }}
              dropKinds={[...targets].flatMap(([kind, target]) => (target === slot ? [kind] : []))}
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

type SlotFieldProps = Pick<Props, 'model' | 'values' | 'error'> & {
  slot: Slot
  dropKinds: string[]
  onChange: (input: DraftInput | null) => void
  onMove: (by: number) => void
}

function SlotField({ slot, model, values, error, dropKinds, onChange, onMove }: SlotFieldProps) {
  const { use, input, at, count, number, taken } = slot
  const name = input && memberNameIn(input)
  const { cast, form } = useCast(name !== null)
  const ofSlot = {
    number,
    isUsed: values.mode.inputs.some(({ role }) => role === use.role),
    error: error !== null && error.input === input ? error.message : null,
    moves: isNumberedRole(use) && input && count > 1 ? <Moves {...{ at, count, onMove }} /> : null,
  }
  if (name)
    return form ? (
      <form.CastSlot
        {...{ name, taken, ...ofSlot }}
        member={cast.find((each) => each.name === name)}
        modelName={model.name}
        onRemove={() => onChange(null)}
      />
    ) : null
  return (
    <InputSlot
      {...{ use, input, dropKinds, onChange, ...ofSlot }}
      mode={values.mode.name}
      ratio={String(values.request.aspectRatio ?? '')}
      time={input ? timeOf(values, input) : 0}
    />
  )
}

/** The film has the shape of their picture, as far as the model has it. */
const SHAPING = ['start', 'portrait']

/**
 * `at`: its place among those of its role, of `count`. `number`: as the prompt names it, or what it stands for; empty:
 * it does not. `taken`: of a member the assets that the film takes.
 */
type Slot = { use: Use; input: DraftInput | null; at: number; count: number; number: string; taken: string[] }

const isNumberedRole = ({ role, to }: Use): boolean => role === REFERENCE && to > 1

/** The inputs that are there, and an empty slot where a mode takes another one together with them. */
function slotsOf(
  group: ReturnType<typeof modeGroupsOf>[number],
  uses: Use[],
  draft: Draft,
  cast: readonly Member[],
): Slot[] {
  const present = uses.filter(({ role, kinds }) => inputsOf(draft, role, kinds).length > 0).map(({ role }) => role)
  const isCombinable = (role: string) =>
    group.some(({ inputs }) => [role, ...present].every((each) => inputs.some((use) => use.role === each)))
  return uses.flatMap((use) => {
    const inputs = inputsOf(draft, use.role, use.kinds)
    const count = inputs.length
    const isOpen = count < use.to && isCombinable(use.role)
    const allTaken = takenOf(inputs, cast, use)
    return [
      ...inputs.map((input, at) => {
        const taken = allTaken[at] ?? []
        const before = allTaken.slice(0, at).flat().length
        return { use, input, at, count, taken, number: isNumberedRole(use) ? numberText(before + 1, taken.length) : '' }
      }),
      ...(isOpen ? [{ use, input: null, at: count, count, taken: [], number: '' }] : []),
    ]
  })
}

const numberText = (first: number, count: number): string =>
  count === 0 ? '' : count === 1 ? `@${first}` : `@${first}–${first + count - 1}`

/** Which slot takes a file of a kind that is dropped on the page: the first empty one, else the first. */
function targetsOf(slots: Slot[]): Map<string, Slot> {
  const targets = new Map<string, Slot>()
  // A file in the place of a member would lose the whole of it.
  const takers = slots.filter(({ input }) => input === null || memberNameIn(input) === null)
  for (const slot of takers.toSorted((a, b) => Number(a.input !== null) - Number(b.input !== null)))
    for (const kind of slot.use.kinds) if (!targets.has(kind)) targets.set(kind, slot)
  return targets
}

function Moves({ at, count, onMove }: { at: number; count: number; onMove: (by: number) => void }) {
  return (
    <span className={styles.moves}>
      <Button kind="quiet" aria-label={t`Move up`} disabled={at === 0} onClick={() => onMove(-1)}>
        ↑
      </Button>
      <Button kind="quiet" aria-label={t`Move down`} disabled={at === count - 1} onClick={() => onMove(1)}>
        ↓
      </Button>
    </span>
  )
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
