/**
 * Runs a task: waiting, generating while its film is rendered, completed or failed, and then its callbacks. Every
 * step can be repeated: after a restart each unfinished task carries on from its record.
 */
import { EventEmitter, once } from 'node:events'
import type { Films } from './films.ts'
import { readSentinels, type Sentinels } from './sentinels.ts'
import { type CallbackKind, garbageKinds, type Task, type Tasks } from './tasks.ts'
import { nextAttemptAt, postJson, sleepUntil } from './webhook.ts'

export type TaskRunner = ReturnType<typeof openTaskRunner>

/** Delays before further attempts of a callback; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]

export function openTaskRunner(context: {
  tasks: Tasks
  films: Films
  callbackMessage: (
    task: Task,
    kind: CallbackKind,
  ) => { body: string; headers: Record<string, string>; timeoutMs: number }
  pace: number
  log: (line: string) => void
  closing: AbortSignal
}) {
  const { films, pace, closing, log } = context
  const { save } = context.tasks.tasks
  /** Emits the id of a task when its first callback with the outcome was answered, or when there will be none. */
  const calledBack = new EventEmitter()

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
    for (const callback of task.outbox) {
      let dueAt: number | null = 0
      while (!callback.done && dueAt !== null) {
        await sleepUntil(dueAt, closing)
        await attempt(task, callback)
        dueAt = nextAttemptAt(RETRY_AFTER_S, callback.attempts, pace)
      }
    }
    calledBack.emit(task.taskId)
  }

  const attempt = async (task: Task, callback: Task['outbox'][number]): Promise<void> => {
    const { kind } = callback
    const at = new Date().toISOString()
    const { body, ...options } = context.callbackMessage(task, kind)
    const status = await postJson(task.callbackUrl ?? '', body, { ...options, closing })
    closing.throwIfAborted()
    task.callbacks.push({ at, kind, status })
    callback.attempts++
    const isReceived = status !== null && status >= 200 && status < 300
    callback.done = isReceived || kind.startsWith('garbage') || callback.attempts > RETRY_AFTER_S.length
    save(task)
    // The callback's URL carries a signature and appears in no log.
    log(`${task.provider} ${task.taskId} called back (${kind}): ${status ?? 'no response'}`)
    if (kind === 'result') calledBack.emit(task.taskId)
  }

  return {
    /** Takes up a task, new or read back. */
    run: (task: Task): void => {
      run(task).catch((error: unknown) => {
        if (!closing.aborted) log(`${task.provider} ${task.taskId} stopped: ${String(error)}`)
      })
    },
    /** Resolves when the first callback with the outcome was answered, or when there will be none. */
    afterCallback: (taskId: string): Promise<unknown> => once(calledBack, taskId),
  }
}

function callbacksOf(sentinels: Sentinels): Task['outbox'] {
  if (sentinels.has('lost')) return []
  const kinds: CallbackKind[] = [...(sentinels.has('garbage') ? garbageKinds : []), 'result']
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, attempts: 0, done: false }))
}
