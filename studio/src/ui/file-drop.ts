/** Files that the user drops on the page or pastes into it. */
import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Accepts files dropped or pasted anywhere on the page. Without a handler on the whole window, a file dropped beside
 * the field would navigate the browser away from the page.
 * @param onFile null where another field takes them
 * @param takes which files; a file that is still dragged has no name
 * @returns whether a file that it takes is being dragged over the page
 */
export function useFileDrop(
  onFile: ((file: File) => void) | null,
  takes: (file: { type: string; name?: string }) => boolean = () => true,
): boolean {
  const [isDraggingOver, setDraggingOver] = useState(false)
  const receive = useEffectEvent((file: File) => {
    if (takes(file)) onFile?.(file)
  })
  const showDrag = useEffectEvent(({ items }: DataTransfer) => {
    const dragged = [...items].find(({ kind }) => kind === 'file')
    setDraggingOver(dragged === undefined || takes(dragged))
  })
  const isTarget = onFile !== null
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      showDrag(event.dataTransfer)
    }
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDraggingOver(false)
    }
    const onDrop = (event: DragEvent) => {
      onDrag(event)
      setDraggingOver(false)
      const file = event.dataTransfer?.files[0]
      if (file) receive(file)
    }
    const onPaste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      // Copied text may carry a picture of itself: leave the paste to the focused field then.
      if (!file || event.clipboardData?.types.includes('text/plain')) return
      event.preventDefault()
      receive(file)
    }
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('dragover', onDrag, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    return () => listening.abort()
  }, [])
  return isTarget && isDraggingOver
}
