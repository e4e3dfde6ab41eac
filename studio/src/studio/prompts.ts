/** Prompts for a user who has made no film yet. */
import { t } from '@lingui/core/macro'
import { EXAMPLE_PROMPT } from './form-values.ts'

export const examplePrompts = [
  { title: t`Paper boat`, prompt: EXAMPLE_PROMPT },
  {
    title: t`Night market`,
    prompt: t`A night market in the rain, seen from a slow dolly between the stalls. Steam rises from a wok, lanterns sway, people pass with umbrellas.`,
  },
  {
    title: t`Product`,
    prompt: t`A glass perfume bottle on wet black stone, turning slowly. A single warm light travels across the glass; drops slide down in macro.`,
  },
  {
    title: t`Landscape`,
    prompt: t`A drone flies low over dunes at sunrise, the long shadows of a caravan below, wind lifting sand from the ridges.`,
  },
]
