/**
 * References in a prompt. Users write @1, @2 in the order of the references; a provider gets its own name of each, or
 * plain words: "image 1", "video 1", by the number among those of its kind, as the lists of a request have them.
 */
import type { Input, Kind } from '../film/inputs.ts'
import type { Route } from './model-file.ts'

const WORDS: Record<Kind, string> = { image: 'image {n}', film: 'video {n}', sound: 'audio {n}' }
/** Not in an address such as ann@1.example. */
const MENTION = /(?<![\w@.])@([1-9]\d?)(?![\w@])/g

/** The prompt as a provider gets it. A number without a reference stays as it is. */
export function withMentions(
  prompt: string,
  inputs: readonly Pick<Input, 'role' | 'kind'>[] | null | undefined,
  mentions: Route['mentions'] = {},
): string {
  const references = (inputs ?? []).filter(({ role }) => role === 'reference')
  if (references.length === 0) return prompt
  return prompt.replace(MENTION, (written, digits: string) => {
    const position = Number(digits) - 1
    const reference = references[position]
    if (!reference) return written
    const { kind } = reference
    const number = references.slice(0, position + 1).filter((each) => each.kind === kind).length
    return (mentions[kind] ?? WORDS[kind]).replace('{n}', () => String(number))
  })
}
