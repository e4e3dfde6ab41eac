/** Names of the cast: what a name is, those that a prompt has, and the one that is being typed. */
type Named = { name: string }

/** As the service accepts it, without the sign; a number alone names a reference by its place. */
const NAME = /^(?!\d+$)[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u
/** What the user types as a name, as the service keeps it; null: it is none. */
export function readName(typed: string): string | null {
  const name = typed.trim().replace(/^@/, '').normalize('NFC').toLowerCase()
  return NAME.test(name) ? name : null
}

// As server/src/catalogue/mentions.ts reads a prompt.
const START = '(?<![\\w@.])@'
const END = '(?![\\w@-]|(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}])[\\p{L}\\p{N}])'

/** The members that a prompt names. */
export function mentionedIn<M extends Named>(prompt: string, cast: readonly M[]): M[] {
  if (cast.length === 0 || !prompt.includes('@')) return []
  const names = cast.map(({ name }) => name).toSorted((a, b) => b.length - a.length)
  const found = prompt.matchAll(new RegExp(`${START}(${names.join('|')})${END}`, 'giu'))
  const mentioned = new Set([...found].map(([, name = '']) => name.normalize('NFC').toLowerCase()))
  return cast.filter(({ name }) => mentioned.has(name))
}

/** The prompt with another name of a member. */
export const renamedIn = (prompt: string, before: string, after: string): string =>
  prompt.replace(new RegExp(`${START}${before}${END}`, 'giu'), `@${after}`)

/** `start`: of its sign; `typed`: what follows it, up to the caret. */
export type OpenMention = { start: number; typed: string }

/** The name that is being typed at the caret; null: none. */
export function openMentionIn(text: string, caret: number): OpenMention | null {
  const found = /(?<![\w@.])@([\p{L}\p{N}_-]{0,40})$/u.exec(text.slice(0, caret))
  return found ? { start: found.index, typed: (found[1] ?? '').normalize('NFC').toLowerCase() } : null
}

/** The members whose name begins with what is typed, then those that have it further on. */
export function completionsOf<M extends Named>({ typed }: OpenMention, cast: readonly M[]): M[] {
  const begins = cast.filter(({ name }) => name.startsWith(typed))
  return [...begins, ...cast.filter(({ name }) => !name.startsWith(typed) && name.includes(typed))]
}

/** The text with the name in place of what is from `start` to `end`, and the caret after it. */
export function withMention(text: string, { start, end }: { start: number; end: number }, name: string) {
  const before = text.slice(0, start)
  const after = text.slice(end)
  // A name that follows a letter would be an address.
  const gap = /[\w@.]$/.test(before) ? ' ' : ''
  const space = /^[\s,.;:!?)]/.test(after) ? '' : ' '
  const mention = `${gap}@${name}${space}`
  return { text: before + mention + after, caret: start + mention.length }
}
