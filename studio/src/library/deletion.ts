/**
 * Deleting a film, with an undo for as long as its toast is there.
 *
 * The rule: from the press on the film is gone from every page of this tab, and nothing is sent before the toast is
 * gone, because the service knows no way back. Then it is sent; if that fails, the film is shown again and the reader is
 * told. Leaving is an answer: when the page goes away, what waits is sent at once, by a request that outlives the page.
 * A reload is no leaving. Where the browser lets it be told apart (the keys for it, or a script), the deletion is handed
 * to the page that comes, with a new toast and its undo; where it cannot be (the browser's own button), it counts as
 * leaving, and the page that comes says that the film is deleted. In neither case does the film come back by itself:
 * what was pressed stands in the session storage of the tab from the press until the service has answered.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { kinora, refreshVideos } from '../api.ts'
import { tabStorage } from '../browser-storage.ts'
import { isFinal, type Status } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'

type Doomed = { uuid: string; text: string; sent: boolean }
const KEY = 'kinora.deletions'
/** Long enough to read it, be startled, and find the button. */
const UNDO_MS = 10_000
/** A reload may take this long from the key until the page goes away. */
const RELOAD_WITHIN_MS = 10_000

/** What is hidden; a new set at every change, which is how React learns of it. */
let hidden: ReadonlySet<string> = new Set(stored().map(({ uuid }) => uuid))
const listeners = new Set<() => void>()
/** The toasts that offer an undo, by uuid: what closes them. */
const waiting = new Map<string, () => void>()

/** The uuids of films that are shown no more. */
export const useDeletedUuids = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hidden,
  )

/** Takes the film from every page, and deletes it when the toast that says so is gone. */
export function deleteVideo({ uuid, status }: { uuid: string; status: Status }): void {
  const text = isFinal(status)
    ? 'Film deleted.'
    : 'Film deleted. It was already being made, so it still uses its credits.'
  hide(uuid, true)
  offerUndo({ uuid, text, sent: false })
}

function offerUndo(doomed: Doomed): void {
  const { uuid, text } = doomed
  store([...stored().filter((each) => each.uuid !== uuid), doomed])
  const undo = () => {
    waiting.delete(uuid)
    forget(uuid)
    hide(uuid, false)
  }
  waiting.set(
    uuid,
    toast({ text, action: { label: 'Undo', press: undo }, onGone: () => send(uuid), timeoutMs: UNDO_MS }),
  )
}

/** Sends what waits for its toast. Called before signing out, after which it would be refused. */
export async function flushDeletions(): Promise<void> {
  await Promise.all(
    [...waiting].map(([uuid, close]) => {
      const sent = send(uuid)
      close()
      return sent
    }),
  )
}

/** Once each, however the toast went. */
async function send(uuid: string): Promise<void> {
  if (!waiting.delete(uuid)) return
  store(stored().map((each) => (each.uuid === uuid ? { ...each, sent: true } : each)))
  // The page may be on its way out.
  const { error } = await kinora.DELETE('/api/v1/video/{uuid}', { params: { path: { uuid } }, keepalive: true })
  forget(uuid)
  if (error && error.code !== 'NOT_FOUND') {
    hide(uuid, false)
    toast({ text: `The film could not be deleted, so it is back. ${error.message}` })
    return
  }
  await refreshVideos()
}

/** What the page before this one left behind. */
function takeUp(): void {
  for (const doomed of stored()) {
    if (waiting.has(doomed.uuid)) continue
    if (!doomed.sent) {
      offerUndo(doomed)
      continue
    }
    // The request may have been lost on the way; the service takes a second one for the same film as done.
    waiting.set(doomed.uuid, toast({ text: doomed.text }))
    send(doomed.uuid)
  }
}

/** For the frame around all pages: takes up what was left, and sends what waits when the page goes away. */
export function useDeferredDeletions(): void {
  useEffect(() => {
    // Not at once: effects run in the order of the page, and the place for toasts comes after the frame.
    const takingUp = setTimeout(takeUp)
    let reloadAtMs = Number.NEGATIVE_INFINITY
    const onKey = ({ key, ctrlKey, metaKey, timeStamp }: KeyboardEvent) => {
      if (key === 'F5' || ((ctrlKey || metaKey) && key.toLowerCase() === 'r')) reloadAtMs = timeStamp
    }
    const onNavigate = (event: Event) => {
      if ('navigationType' in event && event.navigationType === 'reload') reloadAtMs = event.timeStamp
    }
    const onLeave = ({ timeStamp }: PageTransitionEvent) => {
      if (timeStamp - reloadAtMs > RELOAD_WITHIN_MS) flushDeletions()
    }
    const navigation: EventTarget | undefined = window.navigation
    window.addEventListener('keydown', onKey, { capture: true })
    navigation?.addEventListener('navigate', onNavigate)
    window.addEventListener('pagehide', onLeave)
    return () => {
      clearTimeout(takingUp)
      window.removeEventListener('keydown', onKey, { capture: true })
      navigation?.removeEventListener('navigate', onNavigate)
      window.removeEventListener('pagehide', onLeave)
    }
  }, [])
}

function hide(uuid: string, isHidden: boolean): void {
  const next = new Set(hidden)
  if (isHidden) next.add(uuid)
  else next.delete(uuid)
  hidden = next
  for (const listener of listeners) listener()
}

function stored(): Doomed[] {
  const list = tabStorage.read(KEY)
  return Array.isArray(list) ? list : []
}

const store = (list: Doomed[]): void => tabStorage.write(KEY, list.length > 0 ? list : null)

const forget = (uuid: string): void => store(stored().filter((each) => each.uuid !== uuid))
