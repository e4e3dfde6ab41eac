/**
 * Deferred deletion with undo: a deleted video disappears from every page of this tab at once (optimistic update), and the
 * DELETE request is sent when its toast closes, because the API cannot restore a video. If the request fails, the video
 * reappears with an error toast.
 *
 * Leaving the page sends the pending requests at once, with keepalive so that they outlive the page. A reload is not leaving:
 * where it is detectable (F5, Ctrl+R, or a reload by script), the next page offers the undo again. The browser's reload button
 * is not detectable and counts as leaving; the next page then reports the deletion. Pending deletions are stored in
 * sessionStorage until the API has responded, so that a video does not reappear after a reload.
 */
import { t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'
import { kinora, refreshVideos } from '../api.ts'
import { tabStorage } from '../browser-storage.ts'
import { isFinal, type Status } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'

/** `text`: the toast's message. `sent`: the DELETE request was sent and its response is not processed yet. */
type PendingDeletion = { uuid: string; text: string; sent: boolean }
const STORAGE_KEY = 'kinora.deletions'
/** Enough time to read the toast and reach its button. */
const UNDO_MS = 10_000
/** The longest time between a detected reload and the page's pagehide event. */
const RELOAD_WITHIN_MS = 10_000

/** Replaced on every change, because useSyncExternalStore compares snapshots by identity. */
let hiddenUuids: ReadonlySet<string> = new Set(readPending().map(({ uuid }) => uuid))
const listeners = new Set<() => void>()
/** The close functions of the open undo toasts, by uuid. */
const openToasts = new Map<string, () => void>()

/** The uuids of the videos that no page shows any more. */
export const useDeletedUuids = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hiddenUuids,
  )

/** Hides the video from every page and opens the undo toast; the video is deleted when the toast closes. */
export function deleteVideo({ uuid, status }: { uuid: string; status: Status }): void {
  const text = isFinal(status)
    ? t`Film deleted.`
    : t`Film deleted. It was already being made, so it still uses its credits.`
  setHidden(uuid, true)
  offerUndo({ uuid, text, sent: false })
}

function offerUndo(deletion: PendingDeletion): void {
  const { uuid, text } = deletion
  writePending([...readPending().filter((each) => each.uuid !== uuid), deletion])
  const undo = () => {
    openToasts.delete(uuid)
    removePending(uuid)
    setHidden(uuid, false)
  }
  openToasts.set(
    uuid,
    toast({ text, action: { label: t`Undo`, onClick: undo }, onClose: () => send(uuid), timeoutMs: UNDO_MS }),
  )
}

/** Sends every pending deletion now. Runs before a sign-out, after which the API would refuse them. */
export async function flushDeletions(): Promise<void> {
  await Promise.all(
    [...openToasts].map(([uuid, close]) => {
      const sending = send(uuid)
      close()
      return sending
    }),
  )
}

/** Sends a deletion at most once, whether its toast timed out, was closed or was flushed. */
async function send(uuid: string): Promise<void> {
  if (!openToasts.delete(uuid)) return
  writePending(readPending().map((each) => (each.uuid === uuid ? { ...each, sent: true } : each)))
  // keepalive: the page may be unloading.
  const { error } = await kinora.DELETE('/api/v1/video/{uuid}', { params: { path: { uuid } }, keepalive: true })
  removePending(uuid)
  if (error && error.code !== 'NOT_FOUND') {
    setHidden(uuid, false)
    toast({ text: t`The film could not be deleted, so it is back. ${error.message}` })
    return
  }
  await refreshVideos()
}

/** Continues the deletions that the previous page of this tab left pending. */
function resumePending(): void {
  for (const deletion of readPending()) {
    if (openToasts.has(deletion.uuid)) continue
    if (!deletion.sent) {
      offerUndo(deletion)
      continue
    }
    // The request may have been lost. DELETE is idempotent here: `send` treats a 404 as success.
    openToasts.set(deletion.uuid, toast({ text: deletion.text }))
    send(deletion.uuid)
  }
}

/** Mounted once, by the shell: resumes the pending deletions of the previous page and flushes them when this page unloads. */
export function useDeferredDeletions(): void {
  useEffect(() => {
    // Deferred to a later task: the toast viewport is rendered after the shell, and its effects run later.
    const resuming = setTimeout(resumePending)
    let reloadAtMs = Number.NEGATIVE_INFINITY
    const onKeydown = ({ key, ctrlKey, metaKey, timeStamp }: KeyboardEvent) => {
      if (key === 'F5' || ((ctrlKey || metaKey) && key.toLowerCase() === 'r')) reloadAtMs = timeStamp
    }
    const onNavigate = (event: Event) => {
      if ('navigationType' in event && event.navigationType === 'reload') reloadAtMs = event.timeStamp
    }
    const onPageHide = ({ timeStamp }: PageTransitionEvent) => {
      if (timeStamp - reloadAtMs > RELOAD_WITHIN_MS) flushDeletions()
    }
    const navigation: EventTarget | undefined = window.navigation
    window.addEventListener('keydown', onKeydown, { capture: true })
    navigation?.addEventListener('navigate', onNavigate)
    window.addEventListener('pagehide', onPageHide)
    return () => {
      clearTimeout(resuming)
      window.removeEventListener('keydown', onKeydown, { capture: true })
      navigation?.removeEventListener('navigate', onNavigate)
      window.removeEventListener('pagehide', onPageHide)
    }
  }, [])
}

function setHidden(uuid: string, isHidden: boolean): void {
  const next = new Set(hiddenUuids)
  if (isHidden) next.add(uuid)
  else next.delete(uuid)
  hiddenUuids = next
  for (const listener of listeners) listener()
}

function readPending(): PendingDeletion[] {
  const list = tabStorage.read(STORAGE_KEY)
  return Array.isArray(list) ? list : []
}

const writePending = (list: PendingDeletion[]): void => tabStorage.write(STORAGE_KEY, list.length > 0 ? list : null)

const removePending = (uuid: string): void => writePending(readPending().filter((each) => each.uuid !== uuid))
