/**
 * Sentinels: words in square brackets anywhere in a prompt, in any combination and case, that request a failure. They
 * work in the running product as in tests, so that every failure can be reproduced there.
 */
export const sentinelMeanings = {
  fail: ['[fail: text]', 'the task fails with that text, after its usual time'],
  slow: ['[slow: 20s]', 'generating takes that long (s or ms), at every pace'],
  queued: ['[queued: 20s]', 'waits that long before it generates, at every pace'],
  lost: ['[lost]', 'never calls back; polling works'],
  twice: ['[twice]', 'calls back twice'],
  early: ['[early]', 'generates at once, and calls back before it answers the submit'],
  contradict: ['[contradict]', 'calls back with the result, then with its opposite'],
  garbage: ['[garbage]', 'first calls back with several unreadable bodies, then with the right one'],
  truncated: ['[truncated]', 'the film is cut short in the middle of its last picture'],
  html: ['[html]', 'the result is an HTML page that claims to be video/mp4'],
  private: ['[private]', 'the result redirects to an address of a private network'],
  endless: ['[endless]', 'the result streams bytes without end'],
  huge: ['[huge]', 'the result is a valid film of 8192×8192 pixels in a small file'],
  short: ['[short]', 'the film has one second'],
  small: ['[small]', 'the film has a quarter of the requested width and height'],
  turned: ['[turned]', 'the film has width and height exchanged'],
  untyped: ['[untyped]', 'the film has no content type'],
  'late-film': ['[late-film]', 'the result first answers 202, then sends no bytes, then half the film, then all of it'],
  'no-film': ['[no-film: text]', 'completed without a result; with that text as its error, or without one'],
  gone: ['[gone]', 'the result answers 404'],
  refuse: ['[refuse: text]', 'the submit is refused for its content, with that text'],
  down: ['[down: 3]', "this video's first 3 submits, at both providers together, are not accepted: HTTP 503, code 455"],
  'rate-limit': ['[rate-limit]', "this video's first submit is not accepted: too many requests"],
  balance: ['[balance]', 'the submit is not accepted: our balance is not sufficient'],
  'bad-parameters': ['[bad-parameters: text]', 'the submit is refused for its parameters, with that text'],
  'ok-error': ['[ok-error: text]', 'the submit is answered HTTP 200 with that error, and without a task'],
  hang: ['[hang]', 'takes the task and calls back, but never answers the submit'],
  vague: ['[vague]', 'takes the task and calls back, but answers the submit HTTP 500'],
  silent: ['[silent]', 'stays generating for ever: no callback, and polling never shows an end'],
  forgotten: ['[forgotten]', 'takes the task and calls back, but polling says that there is none'],
  'expired-link': ['[expired-link]', 'the link that the first poll shows has expired; a later poll shows another'],
  'too-late': ['[too-late]', 'a running task cannot be cancelled'],
  'unknown-status': ['[unknown-status]', 'until it ends, polling shows a status that no client knows'],
} as const

export type SentinelName = keyof typeof sentinelMeanings
/** The text after the colon, empty when there is none. */
export type Sentinels = ReadonlyMap<SentinelName, string>

export function readSentinels(prompt: string): Sentinels {
  const found = new Map<SentinelName, string>()
  for (const [, word = '', text = ''] of prompt.matchAll(/\[\s*([a-z-]+)\s*(?::([^\]]*))?\]/gi)) {
    const name = word.toLowerCase()
    if (Object.hasOwn(sentinelMeanings, name)) found.set(name as SentinelName, text.trim())
  }
  return found
}

/** The text of `[no-film]`, empty without one; null: there is a film. */
export const missingFilm = (prompt: string): string | null => readSentinels(prompt).get('no-film') ?? null

/** Milliseconds of `[slow: …]` or `[queued: …]`: "20s", "500ms", or bare seconds; null when unreadable. */
export function delayMs(sentinels: Sentinels, name: 'slow' | 'queued'): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/i.exec(sentinels.get(name) ?? '') ?? []
  return amount === undefined ? null : Number(amount) * (unit?.toLowerCase() === 'ms' ? 1 : 1000)
}
