/** Player navigation: back to the library at the same scroll position, and on to the previous or the next video. */
import { useCanGoBack, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useShortcut } from '../shell/use-shortcut.ts'
import { useDeletedUuids } from './deletion.ts'
import { lastViewedFilters, lastViewedVideos } from './video-list.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Set on a player entry whose previous history entry is the library. */
    fromLibrary?: boolean
  }
}

/**
 * @returns a function that goes back to the library with its filters and scroll position; a user who opened the player
 * by a link starts at the top of the list
 * @param options `replace` removes this page from the history, for a video that was deleted
 */
export function useBackToLibrary({ replace = false } = {}): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const fromLibrary = useRouterState({ select: ({ location }) => location.state.fromLibrary })
  return () => {
    if (canGoBack && fromLibrary) router.history.back()
    else router.navigate({ to: '/library', search: lastViewedFilters(), replace })
  }
}

/** Uuids; undefined at either end of the list */
export type AdjacentVideos = { previous: string | undefined; next: string | undefined }

/** The videos beside this one among the loaded rows of the list that the user viewed last. */
export function useAdjacentVideos(uuid: string): AdjacentVideos {
  const deletedUuids = useDeletedUuids()
  return useMemo(() => {
    const list = lastViewedVideos().filter((video) => video.uuid === uuid || !deletedUuids.has(video.uuid))
    const at = list.findIndex((video) => video.uuid === uuid)
    return at < 0
      ? { previous: undefined, next: undefined }
      : { previous: list[at - 1]?.uuid, next: list[at + 1]?.uuid }
  }, [uuid, deletedUuids])
}

/** The arrow keys open the adjacent videos, except in video controls and form fields. */
export function useArrowKeys({ previous, next }: AdjacentVideos): void {
  const navigate = useNavigate()
  useShortcut((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest('video, input, textarea, select')) return
    const uuid = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    if (!uuid) return
    event.preventDefault()
    navigate({ to: '/library/$uuid', params: { uuid }, replace: true, state: (state) => state })
  })
}
