/**
 * References in a prompt. Users write @1, @2 in the order of the references, or @mara for those of a name; a provider
 * gets its own name of each, or plain words: "image 1", "video 1", by the number among those of its kind, as the lists
 * of a request have them.
 */
import { assetNameOf, type Input, type Kind } from '../film/inputs.ts'
import type { Route } from './model-file.ts'

const WORDS: Record<Kind, string> = { image: 'image {n}', film: 'video {n}', sound: 'audio {n}' }
/** Not in an address such as ann@1.example. */
const START = '(?<![\\w@.])@'
/** Another letter is of another name; one of a script without spaces is the next word. */
const END = '(?![\\w@-]|(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}])[\\p{L}\\p{N}])'

/** The prompt as a provider gets it. A number or a name without a reference stays as it is. */
export function withMentions(
  prompt: string,
  inputs: readonly Pick<Input, 'role' | 'kind' | 'name'>[] | null | undefined,
  mentions: Route['mentions'] = {},
): string {
  const references = (inputs ?? []).filter(({ role }) => role === 'reference')
  if (references.length === 0) return prompt
  const named = references.map(({ kind, name }, position) => {
    const number = references.slice(0, position + 1).filter((each) => each.kind === kind).length
    return { name, word: (mentions[kind] ?? WORDS[kind]).replace('{n}', () => String(number)) }
  })
  // The longest first: one name may begin as another does.
  const names = [...new Set(references.flatMap(({ name }) => name ?? []))].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`${START}(${['[1-9]\\d?', ...names].join('|')})${END}`, 'giu')
  return prompt.replace(pattern, (written, mention: string) => {
    const one = named[Number(mention) - 1]
    const meant = one ? [one] : named.filter(({ name }) => name === assetNameOf(mention))
    return meant.length > 0 ? meant.map(({ word }) => word).join(', ') : written
  })
}
