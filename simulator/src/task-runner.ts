/**
 * Runs a task: waiting, generating while its film is rendered, completed or failed, and then its callbacks. Every step can
 * be repeated: after a restart each unfinished task carries on from its record.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Films } from './films.ts'
import { readSentinels, type Sentinels } from './sentinels.ts'
import { type CallbackKind, garbageKinds, type Task, type Tasks } from './tasks.ts'
import { postJson, sleepUntil } from './webhook.ts'

export type CallbackMessage = { body: string; headers: Record<string, string>; timeoutMs: number }

export type TaskRunner = {
  /** Takes up a task, new or read back. */
  run: (task: Task) => void
  /** Resolves when the first callback with the outcome was answered, or when there will be none. */
  afterCallback: (taskId: string) => Promise<void>
}

/** Delays before further attempts of a callback; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]
const RETRY_DELAY_MS_MIN = 100

export function openTaskRunner(context: {
  tasks: Tasks
  films: Films
  callbackMessage: (task: Task, kind: CallbackKind) => CallbackMessage
  pace: number
  log: (line: string) => void
  closing: AbortSignal
}): TaskRunner {
  const { films, closing, log } = context
  const { save } = context.tasks.tasks
  const waiters = new Map<string, PromiseWithResolvers<void>>()

  const run = async (task: Task): Promise<void> => {
    const sentinels = readSentinels(task.request.prompt)
    if (task.state === 'waiting') {
      await sleepUntil(task.startsAt, closing)
      save(Object.assign(task, { state: 'generating' }))
    }
    if (task.state === 'generating') {
      if (sentinels.has('silent')) return
      const rendering = films.render(task, sentinels).then(
        () => null,
        (error: unknown) =>
          `The simulator could not render this film: ${error instanceof Error ? error.message : error}.`,
      )
      await sleepUntil(task.finishesAt, closing)
      const error = sentinels.has('fail') ? sentinels.get('fail') || 'The generation failed.' : await rendering
      closing.throwIfAborted()
      const outbox = task.callbackUrl ? callbacksOf(sentinels) : []
      const state = error === null ? 'completed' : 'failed'
      save(Object.assign(task, { state, error, outbox, endedAt: Date.now() }))
      log(`${task.provider} ${task.taskId} ${state}`)
    }
    await sendCallbacks(task)
  }

  const sendCallbacks = async (task: Task): Promise<void> => {
    for (const callback of task.outbox) {
      while (!callback.done) {
        const delayS = RETRY_AFTER_S[callback.attempts - 1] ?? 0
        const delayMs = Math.max(RETRY_DELAY_MS_MIN, delayS * 1000 * context.pace)
        if (delayS) await sleep(delayMs, undefined, { signal: closing })
        const at = new Date().toISOString()
        const { body, ...options } = context.callbackMessage(task, callback.kind)
        const status = await postJson(task.callbackUrl ?? '', body, { ...options, closing })
        closing.throwIfAborted()
        task.callbacks.push({ at, kind: callback.kind, status })
        callback.attempts++
        const isReceived = status !== null && status >= 200 && status < 300
        const isGarbage = callback.kind.startsWith('garbage')
        callback.done = isReceived || isGarbage || callback.attempts > RETRY_AFTER_S.length
        save(task)
        // The callback's URL carries a signature and appears in no log.
        log(`${task.provider} ${task.taskId} called back (${callback.kind}): ${status ?? 'no response'}`)
        if (callback.kind === 'result') waiters.get(task.taskId)?.resolve()
      }
    }
    waiters.get(task.taskId)?.resolve()
  }

  return {
    run: (task) => {
      run(task).catch((error: unknown) => {
        if (!closing.aborted) log(`${task.provider} ${task.taskId} stopped: ${String(error)}`)
      })
    },
    afterCallback: (taskId) => {
      const waiter = waiters.get(taskId) ?? Promise.withResolvers<void>()
      waiters.set(taskId, waiter)
      return waiter.promise.finally(() => waiters.delete(taskId))
    },
  }
}

function callbacksOf(sentinels: Sentinels): Task['outbox'] {
  if (sentinels.has('lost')) return []
  const kinds: CallbackKind[] = [...(sentinels.has('garbage') ? garbageKinds : []), 'result']
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, attempts: 0, done: false }))
}
