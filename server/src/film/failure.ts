/** The codes with which a film fails, for programs; the text beside a code is for people. */

/** Each code, and whether the same request may succeed when it is made again. */
export const FAILURES = {
  /** The prompt, or what became of it, is against the provider's rules. */
  CONTENT_REFUSED: false,
  PARAMETERS_REFUSED: false,
  INPUT_REFUSED: false,
  PROVIDER_ERROR: true,
  PROVIDER_BUSY: true,
  /** Our key, balance or right at the provider. */
  ACCOUNT: false,
  TIMED_OUT: true,
  CANCELLED: true,
  /** The provider has forgotten the task. */
  LOST: true,
  NOT_ACCEPTED: true,
  FILM_UNUSABLE: true,
  FILM_UNREACHABLE: true,
  NOT_AS_ORDERED: true,
  /** This service could not store the film or the start image. */
  NOT_STORED: true,
} as const

export type FailureCode = keyof typeof FAILURES
export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[]
export const RETRYABLE_CODES = FAILURE_CODES.filter((code) => FAILURES[code])

/** `message` may be shown to the user. */
export type Failure = { code: FailureCode; message: string }

export type Patterns = [FailureCode, RegExp][]

/** The code of the first pattern that fits a vendor's own code or text. */
export const firstFit = (patterns: Patterns, text: string | null): FailureCode | undefined =>
  text === null ? undefined : patterns.find(([, pattern]) => pattern.test(text))?.[0]

const words: Patterns = [
  [
    'CONTENT_REFUSED',
    /content.?polic|policy.?violation|safety|moderat|nsfw|sensitive|prohibit|forbidden content|blocklist|copyright|intellectual property|celebrit|public figure|sexual|violen|harmful|usage guidelines|\brai\b|risk control/i,
  ],
  ['INPUT_REFUSED', /\b(image|picture|photo|frame|face)s?\b|image_|_image/i],
  [
    'PARAMETERS_REFUSED',
    /invalid.?(param|argument|request|input|value)|unsupported|not supported|out of range|must be|validation/i,
  ],
]

/**
 * The failure that a vendor's text describes; a vendor's own closed list comes before it.
 * @param otherwise the code of a text that no word decides
 */
export const failureFrom = (message: string, otherwise: FailureCode): Failure => ({
  code: firstFit(words, message) ?? otherwise,
  message,
})
