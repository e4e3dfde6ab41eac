/** What changes between two texts, by words: of a text without spaces too, such as a Chinese one. */
import { diffWords } from 'diff'

/** `place`: among all parts. */
export type TextChange = { place: number; kind: 'same' | 'added' | 'removed'; text: string }

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** @returns the parts in their order: without the removed ones they are the second text */
export const textChanges = (before: string, after: string): TextChange[] =>
  diffWords(before, after, { intlSegmenter: words }).map(({ value, added, removed }, place) => ({
    place,
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))

/** Without spaces and punctuation. */
export const wordsIn = (text: string): number =>
  [...words.segment(text)].reduce((sum, { isWordLike }) => sum + (isWordLike ? 1 : 0), 0)
