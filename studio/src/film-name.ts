/** What a film is called: by its prompt, or by model and mode where it was made without one, as to a sound. */
import { t } from '@lingui/core/macro'
import { useModelNames } from './model-name.ts'
import { factsLine } from './ui/facts-line.ts'
import { UPSCALE } from './upscalers.ts'

export type NamedFilm = { prompt: string; model: string; mode: string }

export function useFilmNames(): (film: NamedFilm) => string {
  const nameOf = useModelNames()
  return ({ prompt, model, mode }) => prompt || factsLine(nameOf(model), modeText(mode))
}

/** What the user chooses: the first mode of a group. One that the studio does not know is shown by its name. */
export function modeText(name: string): string {
  switch (name) {
    case 'text-to-video':
    case 'image-to-video':
    case 'first-last':
      return t`Text and pictures`
    case 'reference':
      return t`References`
    case 'keyframes':
      return t`Keyframes`
    case 'extend':
      return t`Extend a film`
    case 'edit':
      return t`Edit a film`
    case 'motion':
      return t`Motion from a film`
    case 'lip-sync':
      return t`Lip sync`
    case 'avatar':
      return t`Talking portrait`
    case UPSCALE:
      return t`Upscale`
    default:
      return name
  }
}
