/** The way between the list and the player: back to the same place, and on to the film before or after. */
import { useCanGoBack, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { isOverlayOpen } from '../shell/overlay.ts'
import { useDeletedUuids } from './deletion.ts'
import { lastViewedFilters, lastViewedVideos } from './video-list.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** On the player: the entry before this one in the history is the list. */
    fromLibrary?: boolean
  }
}

/** Back to the list as it was left, at the place where it was left; to its beginning for whoever came by a link. `replace`: this
 * page is over, and the back button must not lead to it. */
export function useBackToLibrary({ replace = false } = {}): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const fromLibrary = useRouterState({ select: ({ location }) => location.state.fromLibrary })
  return () => {
    if (canGoBack && fromLibrary) router.history.back()
    else router.navigate({ to: '/library', search: lastViewedFilters(), replace })
  }
}

/** The uuids before and after in the list that was last looked at, as far as it is loaded. */
export function useAdjacentVideos(uuid: string): { before: string | undefined; after: string | undefined } {
  const deleted = useDeletedUuids()
  return useMemo(() => {
    const list = lastViewedVideos().filter((film) => film.uuid === uuid || !deleted.has(film.uuid))
    const at = list.findIndex((film) => film.uuid === uuid)
    return at < 0 ? { before: undefined, after: undefined } : { before: list[at - 1]?.uuid, after: list[at + 1]?.uuid }
  }, [uuid, deleted])
}

/** The arrow keys lead to the neighbours, except where they already mean something: in a film's controls or a field. */
export function useArrowKeys({ before, after }: { before: string | undefined; after: string | undefined }): void {
  const navigate = useNavigate()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented || isOverlayOpen())
        return
      if (event.target instanceof Element && event.target.closest('video, input, textarea, select')) return
      const uuid = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined
      if (!uuid) return
      event.preventDefault()
      navigate({ to: '/library/$uuid', params: { uuid }, replace: true, state: (now) => now })
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [before, after, navigate])
}
