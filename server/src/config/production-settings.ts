/** What a production service refuses to start with: equal or guessable secrets, a PUBLIC_URL without TLS. */
import { percentDecoded } from '../text/percent-decoded.ts'
import type { Environment } from './setting-reader.ts'
import { declarationOf } from './settings.ts'

const MAKE_ONE = 'make one with: openssl rand -base64 32'
/** 24 random hexadecimal digits, the shortest that the minimum length allows, have 96 bits; the estimate is lower. */
const SECRET_BITS_MIN = 72
/** Guesses at a password are limited by the rate limit, so that `tafo-muki-rezu-lapo` is enough. */
const PASSWORD_BITS_MIN = 32

/** @returns one sentence for each problem: what is wrong, and what to do */
export function productionProblems(env: Environment, publicUrl: string): string[] {
  return [...publicUrlProblems(publicUrl), ...weakSecrets(env), ...equalSecrets(env)]
}

function publicUrlProblems(publicUrl: string): string[] {
  const url = URL.parse(publicUrl)
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return []
  return [
    `PUBLIC_URL must begin with https:// in production, not "${publicUrl}": over http, passwords and sessions can be read ` +
      'on the way; put a proxy with TLS in front. Only an address of this machine, such as http://localhost, may be http',
  ]
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d+){3}$/.test(hostname)

function weakSecrets(env: Environment): string[] {
  const problems: string[] = []
  for (const [name, value = ''] of Object.entries(env)) {
    const text = value.trim()
    if (text && declarationOf(name)?.secret === 'generated' && guessBits(text) < SECRET_BITS_MIN) {
      problems.push(`${name} is easy to guess, because it is made of words, repetitions or sequences; ${MAKE_ONE}`)
    }
    if (text && name === 'ADMIN_PASSWORD' && guessBits(text) < PASSWORD_BITS_MIN) {
      problems.push(`${name} is easy to guess; choose four words by chance, or ${MAKE_ONE}`)
    }
  }
  return problems
}

function equalSecrets(env: Environment): string[] {
  const byValue = new Map<string, { name: string; isOwn: boolean }[]>()
  for (const [name, value = ''] of Object.entries(env)) {
    const kind = declarationOf(name)?.secret ?? 'unshared'
    const text = kind === 'inAddress' ? passwordIn(value.trim()) : value.trim()
    if (kind === 'unshared' || !text) continue
    const named = kind === 'inAddress' ? `the password in ${name}` : name
    byValue.set(text, [...(byValue.get(text) ?? []), { name: named, isOwn: kind === 'own' || kind === 'generated' }])
  }
  return [...byValue.values()]
    .filter((found) => found.length > 1 && found.some(({ isOwn }) => isOwn))
    .map(
      (found) =>
        `${namesOf(found)} are the same, so that a leak of one is a leak of all; ${MAKE_ONE.replace('one', 'one for each')}`,
    )
}

/** Those that authenticate callers come first: they are what the operator can change alone. */
const namesOf = (found: { name: string; isOwn: boolean }[]): string =>
  [...found.filter(({ isOwn }) => isOwn), ...found.filter(({ isOwn }) => !isOwn)].map(({ name }) => name).join(' and ')

const passwordIn = (url: string): string => percentDecoded(URL.parse(url)?.password ?? '')

/**
 * A low estimate of the bits that a guesser has to try. Repeated parts and sequences (aaa, 1234, fedc) count nothing; a
 * letter of a word counts 2 bits, a separator 1 and every other character log2 of the alphabet that the text shows. A
 * password estimator with dictionaries (zxcvbn) took 0.3 s a secret, and accepts "your-secret-key-at-least-24-bytes".
 */
function guessBits(text: string): number {
  const alphabetBits = Math.log2(Math.min(2 ** new Set(text).size, alphabetSize(text)))
  const unpredictable = withoutSequences(withoutRepeats(text))
  // Long runs of letters of one case, and what stands between separators; a random text has few of either.
  const words = isHex(text)
    ? []
    : (unpredictable.match(/[A-Z][a-z]{2,}|[a-z]{4,}|[A-Z]{5,}|(?<![^\s_.,-])([A-Za-z][a-z]*|[A-Z]+)(?![^\s_.,-])/g) ??
      [])
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  const separators = unpredictable.match(/[\s_.,-]/g)?.length ?? 0
  return letters * 2 + separators + (unpredictable.length - letters - separators) * alphabetBits
}

const isHex = (text: string): boolean => /^[\da-f]+$/i.test(text)

function alphabetSize(text: string): number {
  if (isHex(text)) return 16
  const classes: [RegExp, number][] = [
    [/\d/, 10],
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[^\da-zA-Z]/, 10],
  ]
  return classes.reduce((size, [characters, count]) => size + (characters.test(text) ? count : 0), 0)
}

/** Leaves out every part of three characters or more that occurred before, in any case. */
function withoutRepeats(text: string): string {
  const lower = text.toLowerCase()
  let kept = ''
  for (let at = 0; at < text.length; ) {
    let length = 0
    while (at + length < text.length && lower.indexOf(lower.slice(at, at + length + 1)) < at) length += 1
    if (length < 3) kept += text.slice(at, at + Math.max(1, length))
    at += Math.max(1, length)
  }
  return kept
}

/** Leaves out the characters that continue a sequence: those as far from the one before as that one from its own. */
function withoutSequences(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const step = (at: number) => (codes[at] ?? 0) - (codes[at - 1] ?? 0)
  return [...text].filter((_, at) => at < 2 || Math.abs(step(at)) > 1 || step(at) !== step(at - 1)).join('')
}
