/** What a model takes and gives, to choose it by, and why it cannot make the film of the form. */
import { t } from '@lingui/core/macro'
import { memberNameIn } from '../cast/references.ts'
import { modeText } from '../film-name.ts'
import { linesOf } from '../video/quality.ts'
import { fieldAt, isPlain, type Model, modesOf } from './form-fields.ts'
import { type FormValues, fit, REFERENCE } from './form-values.ts'

export const TRAITS = ['sound', 'start', 'end', REFERENCE, 'film', 'voice', 'seed'] as const
export type Trait = (typeof TRAITS)[number]

export const traitLabels = {
  sound: t`Sound`,
  start: t`Start image`,
  end: t({ message: 'Last frame', context: 'what a model takes' }),
  reference: t`References`,
  film: t({ message: 'Films', context: 'what a model takes' }),
  voice: t`Voice or music`,
  seed: t`Seed`,
} as const satisfies Record<Trait, string>

export function traitsOf(model: Model): Trait[] {
  const { request } = fit({}, model)
  const roles = modesOf(model).flatMap(({ inputs }) => inputs.map(({ role }) => role))
  const audio = fieldAt(model.schema, ['audio'], request)?.values
  const has: Record<Trait, boolean> = {
    sound: audio?.kind === 'list' && audio.list.includes(true),
    start: roles.includes('start'),
    end: roles.includes('end'),
    reference: roles.includes(REFERENCE),
    film: roles.includes('film'),
    voice: roles.includes('sound'),
    seed: fieldAt(model.schema, ['seed'], request) !== null,
  }
  return TRAITS.filter((trait) => has[trait])
}

/** "4–15 s" */
export const lengthsText = ({ minDuration, maxDuration }: Model): string =>
  minDuration === maxDuration ? t`${minDuration} s` : t`${minDuration}–${maxDuration} s`

export const sizesOf = ({ resolutions }: Pick<Model, 'resolutions'>): string[] =>
  resolutions.toSorted((a, b) => linesOf(a) - linesOf(b))

/** "480p–1080p" */
export function sizesText(model: Model): string {
  const sizes = sizesOf(model)
  return [...new Set([sizes.at(0), sizes.at(-1)])].join('–')
}

/**
 * Why a model cannot make the film that the chosen one makes of the form; null: it can, be it with an input more.
 * @param values of the chosen model
 */
export function exclusionOf(model: Model, { mode, inputs, request }: FormValues): string | null {
  const modes = modesOf(model)
  const given =
    (request.inputs as { role: string }[] | undefined)?.slice(0, inputs.length).map(({ role }) => role) ?? []
  // Of the cast a model without references takes the first picture as its start image, and says so.
  if (inputs.length > 0 && inputs.every((input) => memberNameIn(input) !== null)) return null
  if (!isPlain(mode))
    return modes.some(({ name }) => name === mode.name) ? null : t`It has no mode for this: ${modeText(mode.name)}.`
  const takes = (roles: string[]) =>
    modes.filter(isPlain).some((each) => roles.every((role) => each.inputs.some((use) => use.role === role)))
  if (given.length === 0 || takes(given)) return null
  return given.includes('start') && !takes(['start']) ? t`It takes no start image.` : t`It takes no end image.`
}
