/**
 * The account that makes the films of test keys: no vendor, no cost, and the same few films of this release after some
 * seconds. Words in the prompt say how a film ends (docs/api.md); nothing else of the request decides anything. What it
 * knows of a task is in the task's handle.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { packageDir } from '../config/package-dir.ts'
import { FAILURES, type Failure, type FailureCode } from '../film/failure.ts'
import type { Adapter, Provider, Task } from './provider.ts'

/** No account of an operator has this id: a colon is in none. */
export const TEST_ACCOUNT = ':test'
/** How long a film takes. */
export const TEST_FILM_S = 4
const SLOW_S_MAX = 600
const TEXT_CHARACTERS_MAX = 500

/** What a task needs of a video of a test key. */
export const testTaskOf = (videoId: string, prompt: string, aspectRatio: string): Task => ({
  ...{ videoId, callbackUrl: undefined, model: 'test' },
  input: { prompt, aspectRatio },
})

/** @param now the clock of the service */
export function openTestAccount(now: () => Date): Provider {
  return {
    submit: async ({ videoId, input }) => {
      const { prompt, aspectRatio } = input as { prompt: string; aspectRatio: string }
      const { refuse, fail, slow } = wordsOf(prompt)
      if (refuse !== undefined) return { kind: 'refused', failure: failureOf(refuse, 'CONTENT_REFUSED') }
      const failure = fail === undefined ? null : failureOf(fail, 'PROVIDER_ERROR')
      const seconds = Math.min(Number.parseInt(slow ?? '', 10) || TEST_FILM_S, SLOW_S_MAX)
      const startMs = now().getTime()
      const times = { startMs: `${startMs}`, endMs: `${startMs + seconds * 1000}` }
      const handle = { taskId: videoId, ...times, film: filmFor(aspectRatio) }
      return { kind: 'accepted', handle: { ...handle, ...failure } }
    },
    poll: async ({ startMs, endMs, film = '', code, message }) => {
      const [start, end] = [Number(startMs), Number(endMs)]
      const leftMs = end - now().getTime()
      if (leftMs > 0) {
        const progress = Math.max(0, Math.round(100 * (1 - leftMs / (end - start))))
        return { kind: 'running', progress, remainingS: Math.ceil(leftMs / 1000) }
      }
      if (code !== undefined)
        return { kind: 'failed', failure: { code: code as FailureCode, message: message ?? code } }
      return { kind: 'completed', result: film }
    },
    cancel: async ({ endMs }) => (Number(endMs) > now().getTime() ? 'cancelled' : 'too_late'),
    openResult: async (_handle, film) => ({ kind: 'bytes', bytes: await readFile(path.join(FILMS, `${film}.mp4`)) }),
    close: async () => {},
  }
}

const FILMS = path.join(packageDir, 'src/provider/test-film')
/** Of no vendor. */
export const TEST_CAPABILITIES: Adapter['capabilities'] = {
  ...{ callback: null, progress: 'percent', cost: null, result: 'bytes', submit: 'task', client: null },
}

/** The words in square brackets: `[fail: text]`, `[refuse: text]`, `[slow: 20s]`. */
function wordsOf(prompt: string): { fail?: string; refuse?: string; slow?: string } {
  const found = prompt.matchAll(/\[\s*(fail|refuse|slow)\s*(?::([^\]]*))?\]/gi)
  return Object.fromEntries([...found].map(([, word = '', text = '']) => [word.toLowerCase(), text.trim()]))
}

/** A text that begins with a failure's code has this code. */
function failureOf(text: string, otherwise: FailureCode): Failure {
  const [first = '', ...rest] = text.split(/\s+/)
  const isCode = Object.hasOwn(FAILURES, first)
  const code = isCode ? (first as FailureCode) : otherwise
  const message = (isCode ? rest.join(' ') : text) || `This test film fails as its prompt asks: ${code}.`
  return { code, message: message.slice(0, TEXT_CHARACTERS_MAX) }
}

/** The film whose shape is nearest. */
function filmFor(aspectRatio: string): string {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number)
  if (width === height) return '1-1'
  return width > height ? '16-9' : '9-16'
}
