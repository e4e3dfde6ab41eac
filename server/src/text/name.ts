/**
 * What users name: themselves, teams, folders, API keys, passkeys, and the programs that register. Invariant: a name is
 * one line of visible characters without the beginning of a link, so that none looks like another one or turns the text
 * around it.
 */

/** Scripts in which a joiner (ZWJ, ZWNJ) changes letters, as in Persian and Hindi; elsewhere it is invisible. */
const JOINING = 'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')
/**
 * Characters without a look: control and format characters, direction marks among them (Trojan Source), surrogates,
 * private use, fillers and U+2800. Matched first and kept are an emoji that Unicode recommends, as a whole, and the
 * joiner of a letter of JOINING.
 */
const unseen = new RegExp(
  `(\\p{RGI_Emoji}|(?<=[${JOINING}])[\\u200c\\u200d])|[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Default_Ignorable_Code_Point}\\u2800]`,
  'gv',
)
const lineBreaks = /[\t-\r\x85\p{Zl}\p{Zp}]+/gu
const links = /:\/\/|\bwww\./gi

/** The rule in words, for messages and the API document. */
export const NAME_RULE =
  'one line of visible characters, without direction marks and without the beginning of an address'

/** The name that a text makes, of at most `max` characters; empty when nothing is left. For names not typed here. */
export const cleanName = (text: string, max: number): string =>
  // Once more, because the cut may go through an emoji.
  clean([...clean(text)].slice(0, max).join(''))

export const isName = (text: string): boolean => clean(text) === trimName(text) && trimName(text) !== ''

/** A name as it is stored: of two ways to write an accent the one, so that names that look the same are the same. */
export const trimName = (text: string): string => text.trim().normalize('NFC')

const clean = (text: string): string =>
  trimName(
    text
      .replace(lineBreaks, ' ')
      .replace(unseen, (_, kept?: string) => kept ?? '')
      .replace(links, ' '),
  )
