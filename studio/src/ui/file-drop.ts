/** Files that the user drops on the page or pastes into it. */
import { useEffect, useEffectEvent, useState } from 'react'

type Options = {
  /** Of a dialog: it takes what is dropped while it is open, all files of it; the page behind it takes none. */
  isModal?: boolean
}

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
  { isModal = false }: Options = {},
): boolean {
  const [isDraggingOver, setDraggingOver] = useState(false)
  const isForThis = () => (document.querySelector('dialog[open]') !== null) === isModal
  const receive = useEffectEvent(({ files }: DataTransfer) => {
    if (!isForThis()) return
    for (const file of isModal ? files : [...files].slice(0, 1)) if (takes(file)) onFile?.(file)
  })
  const showDrag = useEffectEvent(({ items }: DataTransfer) => {
    if (!isForThis()) return
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
      if (event.dataTransfer) receive(event.dataTransfer)
    }
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData } = event
      // Copied text may carry a picture of itself: leave the paste to the focused field then.
      if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      receive(clipboardData)
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
