/** One attempt of one callback over HTTP. Its URL carries a signature and appears in no log. */
import type { CallbackKind, Task } from './task.ts'

/** @returns the HTTP status of the answer, null when there was none in time */
export type CallbackSender = (task: Task, kind: CallbackKind) => Promise<number | null>

export type CallbackMessage = { body: string; headers: Record<string, string>; timeoutMs: number }

export function openCallbackSender(
  messageOf: (task: Task, kind: CallbackKind) => CallbackMessage,
  closing: AbortSignal,
): CallbackSender {
  return async (task, kind) => {
    if (!task.callbackUrl) return null
    const { body, headers, timeoutMs } = messageOf(task, kind)
    try {
      const response = await fetch(task.callbackUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }
}
