/**
 * The life of a task: waiting, generating while its film is rendered, completed or failed, and then its callbacks.
 * Every step can be taken again: after a restart each unfinished task carries on from what its file says.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallbackSender } from './callback.ts'
import type { FilmShelf } from './films.ts'
import { readSentinels, type Sentinels } from './sentinels.ts'
import { garbageKinds, type Task, type TaskStore } from './task.ts'

export type Life = {
  /** Takes up a task, new or read back. */
  begin: (task: Task) => void
  /** Resolves when the first callback with the outcome was answered, or when there will be none. */
  calledBack: (taskId: string) => Promise<void>
}

/** Further attempts of a callback, after so many seconds each; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]
const RETRY_FLOOR_MS = 100
const SLEEP_MS_MAX = 2 ** 31 - 1

export function openLife(world: {
  store: TaskStore
  films: FilmShelf
  send: CallbackSender
  pace: number
  log: (line: string) => void
  closing: AbortSignal
}): Life {
  const { store, films, send, closing, log } = world
  const waiters = new Map<string, PromiseWithResolvers<void>>()

  const until = async (time: number): Promise<void> => {
    for (let left = time - Date.now(); left > 0; left = time - Date.now()) {
      await sleep(Math.min(left, SLEEP_MS_MAX), undefined, { signal: closing })
    }
  }

  const live = async (task: Task): Promise<void> => {
    const sentinels = readSentinels(task.order.prompt)
    if (task.state === 'waiting') {
      await until(task.startsAt)
      store.save(Object.assign(task, { state: 'generating' }))
    }
    if (task.state === 'generating') {
      if (sentinels.has('silent')) return
      const problem = films.make(task, sentinels).then(
        () => null,
        (error: unknown) =>
          `The simulator could not render this film: ${error instanceof Error ? error.message : error}.`,
      )
      await until(task.finishesAt)
      const error = sentinels.has('fail') ? sentinels.get('fail') || 'The generation failed.' : await problem
      closing.throwIfAborted()
      const outbox = task.callbackUrl ? planCallbacks(sentinels) : []
      const state = error === null ? 'completed' : 'failed'
      store.save(Object.assign(task, { state, error, outbox, endedAt: Date.now() }))
      log(`${task.provider} ${task.taskId} ${state}`)
    }
    await callBack(task)
  }

  const callBack = async (task: Task): Promise<void> => {
    for (const callback of task.outbox) {
      while (!callback.done) {
        const waitS = RETRY_AFTER_S[callback.attempts - 1] ?? 0
        if (waitS) await sleep(Math.max(RETRY_FLOOR_MS, waitS * 1000 * world.pace), undefined, { signal: closing })
        const at = new Date().toISOString()
        const status = await send(task, callback.kind)
        closing.throwIfAborted()
        task.callbacks.push({ at, kind: callback.kind, status })
        callback.attempts++
        const received = status !== null && status >= 200 && status < 300
        const once = callback.kind.startsWith('garbage')
        callback.done = received || once || callback.attempts > RETRY_AFTER_S.length
        store.save(task)
        log(`${task.provider} ${task.taskId} called back (${callback.kind}): ${status ?? 'no answer'}`)
        if (callback.kind === 'result') waiters.get(task.taskId)?.resolve()
      }
    }
    waiters.get(task.taskId)?.resolve()
  }

  const begin = (task: Task): void => {
    live(task).catch((error: unknown) => {
      if (!closing.aborted) log(`${task.provider} ${task.taskId} stopped: ${String(error)}`)
    })
  }
  const calledBack = (taskId: string): Promise<void> => {
    const waiter = waiters.get(taskId) ?? Promise.withResolvers<void>()
    waiters.set(taskId, waiter)
    return waiter.promise.finally(() => waiters.delete(taskId))
  }
  return { begin, calledBack }
}

/** Whole per cent, rising with the clock, 100 only at the end. */
export function progressOf(task: Task, now: number): number {
  if (task.state === 'waiting') return 0
  if (task.state === 'completed') return 100
  const until = Math.min(now, task.endedAt ?? now)
  const share = (until - task.startsAt) / Math.max(1, task.finishesAt - task.startsAt)
  return Math.max(0, Math.min(99, Math.round(share * 100)))
}

function planCallbacks(sentinels: Sentinels): Task['outbox'] {
  if (sentinels.has('lost')) return []
  const kinds: Task['outbox'][number]['kind'][] = []
  if (sentinels.has('garbage')) kinds.push(...garbageKinds)
  kinds.push('result')
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, attempts: 0, done: false }))
}
