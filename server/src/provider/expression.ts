/**
 * Evaluates JSONata in a child process. JSONata checks its limits between steps, and one step may take minutes or
 * gigabytes: a regular expression that backtracks, `$pad` to a long text. Invariant: an expression ends within the
 * limits of time and memory, because its process does, and the next expression gets a new one.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeFile } from '../config/package-dir.ts'
import type { Answer, Question } from './expression-answer.ts'

/** The second of JSONata, and time for it to report itself that it is over. */
const END_AFTER_MS = 1200
const MEMORY_MB = 64
const HEAP = [`--max-old-space-size=${MEMORY_MB}`, '--max-semi-space-size=4', '--v8-pool-size=1']
/** A child takes 60 ms of CPU time to start, and 60 MB while it waits. */
const IDLE_MS = 60_000
/**
 * Limits of the kernel. V8 lets a single text exceed its heap by half a gigabyte, so that data is limited too: 512 MB,
 * which V8 reserves for machine code, and 256. The hour of CPU time, some million expressions, ends a child whose
 * server was killed during an endless one.
 */
const SCRIPT = 'for limit in "-c 0" "-d 786432" "-t 3600"; do ulimit $limit 2>/dev/null || :; done; exec "$@"'

let child: ChildProcess | null = null
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Questions are answered one after the other.
 * @param request that the expressions are over; null: they are parsed alone
 * @returns the answer to each text; values are as JSON has them
 * @throws Error when there is no child
 */
export function runExpressions(texts: string[], request: object | null): Promise<Answer[]> {
  const turn = last.then(() => run({ texts, request }))
  last = turn.catch(() => undefined)
  return turn
}

async function run({ texts, request }: Question): Promise<Answer[]> {
  clearTimeout(idle)
  child ??= await start()
  const asked = child
  asked.send({ texts, request } satisfies Question)
  const reply = await replyOf(asked)
  if (typeof reply === 'object') {
    idle = setTimeout(() => end(asked), IDLE_MS).unref()
    return reply
  }
  end(asked)
  if (texts.length === 1) return [{ problem: `fails for a film: ${reply}` }]
  // One of them is at fault: each is asked by itself.
  const answers: Answer[] = []
  for (const text of texts) answers.push(...(await run({ texts: [text], request })))
  return answers
}

async function start(): Promise<ChildProcess> {
  const args = ['-c', SCRIPT, 'sh', process.execPath, ...HEAP, codeFile('provider/expression-child')]
  // V8 would report to stderr that memory is used up.
  const started = spawn('/bin/sh', args, { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const kill = () => started.kill('SIGKILL')
  process.once('exit', kill)
  // Each caller that waits for a reply gets the error.
  started.on('error', () => end(started))
  started.once('exit', () => {
    process.off('exit', kill)
    end(started)
  })
  const reply = await Promise.race([once(started, 'message'), once(started, 'exit')])
  if (!Array.isArray(reply[0])) throw new Error('the process for expressions could not be started')
  // The server waits for a reply, and for nothing else of the child.
  started.unref()
  started.channel?.unref()
  return started
}

/** @returns why there is no reply, as a text */
async function replyOf(asked: ChildProcess): Promise<Answer[] | string> {
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    return await Promise.race([
      once(asked, 'message', { signal }).then(([answers]): Answer[] => answers),
      once(asked, 'exit', { signal }).then(([, by]) =>
        by === 'SIGKILL' ? 'its process was killed' : `it takes more than ${MEMORY_MB} MB of memory`,
      ),
      sleep(END_AFTER_MS, 'it takes longer than a second', { signal }),
    ])
  } finally {
    waiting.abort()
  }
}

function end(ended: ChildProcess): void {
  ended.kill('SIGKILL')
  if (child === ended) child = null
}
