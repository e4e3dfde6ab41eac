/** The words for the roles of inputs. What the studio does not know is shown by its name. */
import { t } from '@lingui/core/macro'
import type { Use } from './form-fields.ts'
import type { FormValues, Kind } from './form-values.ts'

type Words = { label: string; choose: string; use: string; missing: string }

/** @param mode says what becomes of a film; `time` is that of a keyframe, in seconds */
export function wordsOf({ role, kinds }: Pick<Use, 'role' | 'kinds'>, mode: string, time = 0): Words {
  switch (role) {
    case 'start':
      return {
        label: t`Start image`,
        choose: t`Choose a start image`,
        use: t`The film begins with this image.`,
        missing: t`This film needs a start image.`,
      }
    case 'end':
      return {
        label: t`End image`,
        choose: t`Choose an end image`,
        use: t`The film ends with this image.`,
        missing: t`This film needs an end image.`,
      }
    case 'portrait':
      return {
        label: t`Portrait`,
        choose: t`Choose a portrait`,
        use: t`This face speaks in the film.`,
        missing: t`This film needs a portrait.`,
      }
    case 'keyframe':
      return {
        label: t`Keyframe`,
        choose: t`Add a keyframe`,
        use: t`The film shows this image at ${time} s.`,
        missing: t`This film needs more keyframes.`,
      }
    case 'reference':
      return kinds.length === 1 && kinds[0] === 'image'
        ? {
            label: t`Reference image`,
            choose: t`Add a reference image`,
            use: '',
            missing: t`This film needs more reference images.`,
          }
        : {
            label: t`Reference`,
            choose: t`Add a reference`,
            use: '',
            missing: t`This film needs more references.`,
          }
    case 'film':
      return { ...filmWords(mode), missing: t`This needs a film.` }
    case 'motion':
      return {
        label: t`Film of the motion`,
        choose: t`Choose a film of the motion`,
        use: t`The new film moves as this one.`,
        missing: t`This film needs a film of the motion.`,
      }
    case 'sound':
      return {
        label: t`Voice or music`,
        choose: t`Choose a sound`,
        use: t`The film goes with this sound.`,
        missing: t`This film needs a sound.`,
      }
    default:
      return { label: role, choose: role, use: '', missing: t`Something is missing: ${role}` }
  }
}

function filmWords(mode: string): Omit<Words, 'missing'> {
  const choose = t`Choose a film`
  switch (mode) {
    case 'extend':
      return { label: t`Film to extend`, choose, use: t`Continues one of your films.` }
    case 'edit':
      return { label: t`Film to edit`, choose, use: t`Describe what changes in it; this film stays as it is.` }
    case 'lip-sync':
      return { label: t`Film with a face`, choose, use: t`Its lips follow the sound.` }
    default:
      return { label: t`Film to start from`, choose, use: t`The new film is made from this one.` }
  }
}

/** A message for the inputs that a request still lacks; null when it lacks none. */
export function missingText({ missing, mode }: FormValues): string | null {
  const use = mode.inputs.find(({ role }) => role === missing[0])
  return use ? wordsOf(use, mode.name).missing : null
}

/** Which files are of a kind. */
export function formatsText(kind: Kind): string {
  switch (kind) {
    case 'image':
      return t`An image is a PNG, JPEG, WebP or AVIF file.`
    case 'film':
      return t`A film is an MP4, MOV or WebM file.`
    case 'sound':
      return t`A sound is an MP3, WAV, M4A or OGG file.`
  }
}

export function tooLargeText(kind: Kind): string {
  switch (kind) {
    case 'image':
      return t`The image is larger than 15 MB. Make it smaller, or choose another one.`
    case 'film':
      return t`The film is larger than 200 MB. Make it smaller, or choose another one.`
    case 'sound':
      return t`The sound is larger than 30 MB. Make it smaller, or choose another one.`
  }
}

export function cannotShowText(kind: Kind): string {
  switch (kind) {
    case 'image':
      return t`This image cannot be shown.`
    case 'film':
      return t`This film cannot be shown.`
    case 'sound':
      return t`This sound cannot be played.`
  }
}

/** An input that is a link to another site. */
export function fromHostText(kind: Kind, host: string): string {
  switch (kind) {
    case 'image':
      return t`An image from ${host}.`
    case 'film':
      return t`A film from ${host}.`
    case 'sound':
      return t`A sound from ${host}.`
  }
}
