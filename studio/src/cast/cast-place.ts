/** Where a member of the cast goes in the form: the references of the model, or its start image, or nowhere. */
import { type Mode, type Model, modeGroupsOf, modesOf, usesOf } from '../studio/form-fields.ts'
import {
  type Draft,
  type DraftInput,
  type FormValues,
  fit,
  inputsOf,
  REFERENCE,
  ratioFor,
} from '../studio/form-values.ts'
import type { Member } from './cast.ts'
import { renamedIn } from './mention.ts'
import { memberNameIn } from './references.ts'

const START = 'start'

const referenceTo = ({ name }: Member): DraftInput => ({ kind: 'image', asset: `@${name}` })

/** Whether an input is of the member: all of it, or one of its pictures. */
const isOf = ({ name, assets }: Member, { asset }: DraftInput): boolean =>
  asset === `@${name}` || assets.some(({ id }) => id === asset)

/** The modes among which the form is, or those that take the role and nothing that the draft has not; null: none. */
function groupFor(model: Model, draft: Draft, role: string): Mode[] | null {
  const takes = ({ inputs }: Mode) => inputs.some((use) => use.role === role && use.kinds.includes('image'))
  const isReady = ({ inputs }: Mode) =>
    inputs.every((use) => use.role === role || use.from === 0 || inputsOf(draft, use.role, use.kinds).length > 0)
  const chosen = fit(draft, model).mode.name
  const groups = modeGroupsOf(model).filter((group) => group.some((mode) => takes(mode) && isReady(mode)))
  return groups.find((group) => group.some(({ name }) => name === chosen)) ?? groups[0] ?? null
}

/** What the form can do for a member that is not among its inputs. */
export type Place = 'reference' | 'full' | 'start' | 'none'

export function placeOf(model: Model, draft: Draft): Place {
  const group = groupFor(model, draft, REFERENCE)
  if (group) {
    const use = usesOf(group).find(({ role }) => role === REFERENCE)
    return use && inputsOf(draft, REFERENCE, use.kinds).length >= use.to ? 'full' : 'reference'
  }
  return groupFor(model, draft, START) ? 'start' : 'none'
}

/** How many references the model takes at most; 0: none. */
export const referencesMaxOf = (model: Model): number =>
  usesOf(modesOf(model)).find(({ role }) => role === REFERENCE)?.to ?? 0

/** The draft with the member among its references, where the model takes any; else as it was. */
export function withReference(draft: Draft, model: Model, member: Member): Draft {
  const before = draft.inputs?.[REFERENCE] ?? []
  const group = groupFor(model, draft, REFERENCE)
  if (!group || placeOf(model, draft) !== 'reference') return draft
  const isThere = before.some((input) => isOf(member, input))
  const references = isThere ? before : [...before, referenceTo(member)]
  return { ...draft, ...modeOfGroup(group), inputs: { ...draft.inputs, [REFERENCE]: references } }
}

/** The draft with the first picture of the member as its start image, in the shape of it. */
export function withStart(draft: Draft, model: Model, { picture }: Member): Draft {
  const { id, kind, width, height } = picture
  const start: DraftInput = { kind, asset: id, ...(width && height && { width, height }) }
  const group = groupFor(model, draft, START)
  if (!group) return draft
  const next = { ...draft, ...modeOfGroup(group), inputs: { ...draft.inputs, [START]: [start] } }
  const aspectRatio = ratioFor(model, fit(next, model), start)
  return { ...next, fields: { ...next.fields, ...(aspectRatio !== undefined && { aspectRatio }) } }
}

const modeOfGroup = ([first]: Mode[]): Draft => (first ? { mode: first.name } : {})

/** Whether a film of these values has the member among its inputs. */
export const isUsed = (values: FormValues, member: Member): boolean =>
  values.inputs.some((input) => isOf(member, input))

/** The draft after a member has another name, or with null is no more. */
export function afterChange(draft: Draft, before: string, after: string | null): Draft {
  const inputs = Object.entries(draft.inputs ?? {}).map(([role, all]) => [
    role,
    all.flatMap((input) =>
      memberNameIn(input) !== before ? [input] : after === null ? [] : [{ ...input, asset: `@${after}` }],
    ),
  ])
  return {
    ...draft,
    ...(draft.prompt !== undefined && after !== null && { prompt: renamedIn(draft.prompt, before, after) }),
    inputs: Object.fromEntries(inputs),
  }
}
