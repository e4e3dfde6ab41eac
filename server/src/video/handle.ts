/**
 * The handle of a provider's task in its row. The task id is a column, because callbacks are matched by it; a handle
 * that has more, such as addresses or a secret of the task, is sealed.
 */
import type { App } from '../app.ts'
import { seal, unseal } from '../config/seal.ts'
import type { Handle } from '../provider/provider.ts'
import { idsOf } from './outcome.ts'
import type { ClaimedVideo } from './transitions.ts'

const HANDLE_BYTES_MAX = 4096

/** What a step stores of a handle; `handle` null: the task id is all of it. */
export function storedHandle(app: App, video: { userId: string; id: string }, handle: Handle) {
  const { taskId } = handle
  if (Object.keys(handle).length === 1) return { taskId, handle: null }
  const bytes = Buffer.from(JSON.stringify(handle))
  if (bytes.length <= HANDLE_BYTES_MAX) return { taskId, handle: seal(app.config, sealOf(video), bytes) }
  app.log.error({ ...idsOf(app, video), bytes: bytes.length }, 'the handle of a task is too long; its id alone is kept')
  return { taskId, handle: null }
}

/** Null: the provider's task is not known. After a change of AUTH_SECRET the task id alone is left. */
export function handleOf(app: App, video: ClaimedVideo): Handle | null {
  const { providerTaskId: taskId, providerHandle } = video
  if (taskId === null) return null
  const bytes = providerHandle && unseal(app.config, sealOf(video), providerHandle)
  return bytes ? (JSON.parse(bytes.toString()) as Handle) : { taskId }
}

const sealOf = ({ userId, id }: { userId: string; id: string }) => ({
  purpose: 'kinora provider handle',
  owner: `${userId}.${id}`,
})
