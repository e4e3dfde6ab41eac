/**
 * Deferred deletion with undo: a deleted video disappears from every page of this tab at once (optimistic update), and
 * the request is sent when its toast closes, because the API cannot restore a video. If the request fails, the video
 * reappears with an error toast.
 *
 * Leaving the page sends the pending requests at once, with keepalive so that they outlive the page. A reload is not
 * leaving: where it is detectable (F5, Ctrl+R, or a reload by script), the next page offers the undo again. The
 * browser's reload button is not detectable and counts as leaving; the next page then reports the deletion. Pending
 * deletions are stored in sessionStorage until the API has responded, so that a video does not reappear after a reload.
 */
import { plural, t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'
import { kinora, refreshVideos } from '../api.ts'
import { tabStorage } from '../browser-storage.ts'
import { isFinal, type Status } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'

/** `text`: the toast's message. `sent`: the request was sent and its response is not processed yet. */
type PendingDeletion = { uuids: string[]; text: string; sent: boolean }
const STORAGE_KEY = 'kinora.deletions'
/** Enough time to read the toast and reach its button. */
const UNDO_MS = 10_000
/** The longest time between a detected reload and the page's pagehide event. */
const RELOAD_WITHIN_MS = 10_000

/** Replaced on every change, because useSyncExternalStore compares snapshots by identity. */
let hiddenUuids: ReadonlySet<string> = new Set(readPending().flatMap(({ uuids }) => uuids))
const listeners = new Set<() => void>()
/** The close functions of the open undo toasts, by the first uuid of their deletion. */
const openToasts = new Map<string, () => void>()

/** The uuids of the videos that no page shows any more. */
export const useDeletedUuids = (): ReadonlySet<string> => useSyncExternalStore(subscribe, current, current)

const current = () => hiddenUuids
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

type Deletable = { uuid: string; status: Status; usedIn: string | null }

/** Hides the video from every page and opens the undo toast; the video is deleted when the toast closes. */
export const deleteVideo = (video: Deletable): void => deleteVideos([video])

/** Deletes several as one does: with one toast, and one undo for all. */
export function deleteVideos(videos: Deletable[]): void {
  const uuids = videos.map(({ uuid }) => uuid)
  setHidden(uuids, true)
  offerUndo({ uuids, text: textOf(videos), sent: false })
}

function textOf(videos: Deletable[]): string {
  const used = videos.filter(({ usedIn }) => usedIn !== null).length
  if (videos.length > 1) {
    const text = plural(videos.length, { one: '# film deleted.', other: '# films deleted.' })
    const ofShots = plural(used, {
      one: '# was the take of a shot, which keeps its settings.',
      other: '# were takes of shots, which keep their settings.',
    })
    return used === 0 ? text : `${text} ${ofShots}`
  }
  if (used > 0) return t`Film deleted. It was the take of a shot, which keeps its settings.`
  return videos.every(({ status }) => isFinal(status))
    ? t`Film deleted.`
    : t`Film deleted. It was already being made, so it still uses its credits.`
}

const keyOf = ({ uuids }: Pick<PendingDeletion, 'uuids'>): string => uuids[0] ?? ''

function offerUndo(deletion: PendingDeletion): void {
  const { uuids, text } = deletion
  const key = keyOf(deletion)
  writePending([...readPending().filter((each) => keyOf(each) !== key), deletion])
  const undo = () => {
    openToasts.delete(key)
    removePending(key)
    setHidden(uuids, false)
  }
  openToasts.set(
    key,
    toast({ text, action: { label: t`Undo`, onClick: undo }, onClose: () => send(deletion), timeoutMs: UNDO_MS }),
  )
}

/** Sends every pending deletion now. Runs before a sign-out, after which the API would refuse them. */
export async function flushDeletions(): Promise<void> {
  await Promise.all(
    readPending().map((deletion) => {
      const close = openToasts.get(keyOf(deletion))
      const sending = send(deletion)
      close?.()
      return sending
    }),
  )
}

/** Sends a deletion at most once, whether its toast timed out, was closed or was flushed. */
async function send(deletion: PendingDeletion): Promise<void> {
  const { uuids } = deletion
  const key = keyOf(deletion)
  if (!openToasts.delete(key)) return
  writePending(readPending().map((each) => (keyOf(each) === key ? { ...each, sent: true } : each)))
  const { error } = await request(uuids)
  removePending(key)
  if (error && error.code !== 'NOT_FOUND') {
    setHidden(uuids, false)
    toast({
      text:
        uuids.length > 1
          ? t`The films could not be deleted, so they are back. ${error.message}`
          : t`The film could not be deleted, so it is back. ${error.message}`,
    })
    return
  }
  await refreshVideos()
}

/** keepalive: the page may be unloading. */
const request = (uuids: string[]) =>
  uuids.length > 1
    ? kinora.POST('/api/v1/video/delete', { body: { uuids }, keepalive: true })
    : kinora.DELETE('/api/v1/video/{uuid}', { params: { path: { uuid: uuids[0] ?? '' } }, keepalive: true })

/** Continues the deletions that the previous page of this tab left pending. */
function resumePending(): void {
  for (const deletion of readPending()) {
    const key = keyOf(deletion)
    if (openToasts.has(key)) continue
    if (!deletion.sent) {
      offerUndo(deletion)
      continue
    }
    // The request may have been lost. DELETE is idempotent here: `send` treats a 404 as success.
    openToasts.set(key, toast({ text: deletion.text }))
    send(deletion)
  }
}

/** Mounted once, by the shell: resumes the pending deletions of the page before and flushes them at unload. */
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

function setHidden(uuids: string[], isHidden: boolean): void {
  const next = new Set(hiddenUuids)
  for (const uuid of uuids) {
    if (isHidden) next.add(uuid)
    else next.delete(uuid)
  }
  hiddenUuids = next
  for (const listener of listeners) listener()
}

/** An entry of another release is left out: its film is deleted already, or is back. */
function readPending(): PendingDeletion[] {
  const list = tabStorage.read(STORAGE_KEY)
  return Array.isArray(list) ? list.filter((each) => Array.isArray(each?.uuids)) : []
}

const writePending = (list: PendingDeletion[]): void => tabStorage.write(STORAGE_KEY, list.length > 0 ? list : null)

const removePending = (key: string): void => writePending(readPending().filter((each) => keyOf(each) !== key))
