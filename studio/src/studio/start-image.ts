/**
 * The upload of a start image, from wherever it comes: picked, dropped on the page or pasted into it. Only its address
 * becomes part of the wish; the picture from this computer is shown while it is on its way, and afterwards.
 */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dataOf, kinora } from '../api.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const SIZE_BYTES_MAX = 15_000_000

/** What is wrong with a file that need not be sent to know it; null when nothing is. */
function refusal(file: File): string | null {
  if (!IMAGE_TYPES.includes(file.type)) return 'A start image is a PNG, JPEG or WebP file.'
  if (file.size > SIZE_BYTES_MAX) return 'A start image has at most 15 MB.'
  return null
}

/** @param onUrl told the image's address when it is there, and null when there is no image any more */
export function useStartImage(url: string | null, onUrl: (url: string | null) => void) {
  const [preview, setPreview] = useState<{ file: string; url: string | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const { mutate, reset, isPending } = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) =>
      dataOf(kinora.POST('/api/v1/video/image', { body: file, signal })),
  })
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => (preview ? () => URL.revokeObjectURL(preview.file) : undefined), [preview])

  const remove = () => {
    running.current?.abort()
    reset()
    setPreview(null)
    setProblem(null)
    onUrl(null)
  }
  const upload = (file: File) => {
    remove()
    const refused = refusal(file)
    if (refused) return setProblem(refused)
    const controller = new AbortController()
    running.current = controller
    const shown = URL.createObjectURL(file)
    setPreview({ file: shown, url: null })
    mutate(
      { file, signal: controller.signal },
      {
        onSuccess: (image) => {
          setPreview({ file: shown, url: image.url })
          onUrl(image.url)
        },
        onError: (error) => {
          if (controller.signal.aborted) return
          setPreview(null)
          setProblem(error.message)
        },
      },
    )
  }
  const isOver = useArrivals(upload)
  return { upload, remove, isPending, isOver, problem, picture: pictureOf(url, preview) }
}

/** What can be shown of an image: the page may load pictures of this service alone. */
function pictureOf(url: string | null, preview: { file: string; url: string | null } | null): string | null {
  if (preview && (preview.url === null || preview.url === url)) return preview.file
  return url !== null && URL.canParse(url) && new URL(url).origin === location.origin ? url : null
}

/**
 * Images that are dropped on the page or pasted into it. A file that misses its place must not replace the page.
 * @returns whether one is held over the page now
 */
function useArrivals(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      onDrag(event)
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (file) latest.current(file)
    }
    const onPaste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      // What was copied from a text has a picture of itself besides; then the words are meant.
      if (!file || event.clipboardData?.types.includes('text/plain')) return
      event.preventDefault()
      latest.current(file)
    }
    window.addEventListener('dragover', onDrag)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDrop)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('dragover', onDrag)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('paste', onPaste)
    }
  }, [])
  return isOver
}
