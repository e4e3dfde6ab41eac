/**
 * The upload of a start image, from wherever it comes: picked, dropped on the page or pasted into it. Only its address
 * becomes part of the wish; the picture from this computer is shown while it is on its way, and afterwards.
 */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import type { ImageSize } from './form-values.ts'
import { useImageDrop } from './image-drop.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const SIZE_BYTES_MAX = 15 * 1024 * 1024
/** What a system calls a file that it does not know. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** What is wrong with a file that need not be sent to know it; null when nothing is. */
function refusal({ type, size }: File): string | null {
  if (type && type !== UNKNOWN_TYPE && !type.startsWith('image/')) return 'A start image is a PNG, JPEG or WebP file.'
  if (size > SIZE_BYTES_MAX) return 'The image is larger than 15 MB. Make it smaller, or choose another one.'
  return null
}

/** The service goes by the bytes; it only wants to hear that they are an image, which not every system knows of a file. */
const contentTypeOf = ({ type }: File): string => (IMAGE_TYPES.includes(type) ? type : 'image/png')

/** @param onImage told the image's address and size when it is there, and nulls when there is no image any more */
export function useStartImage(url: string | null, onImage: (url: string | null, size: ImageSize | null) => void) {
  const [preview, setPreview] = useState<{ file: string; url: string | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [unseen, setUnseen] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const { mutate, reset, isPending } = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) =>
      dataOf(
        kinora.POST('/api/v1/video/image', { body: file, signal, headers: { 'content-type': contentTypeOf(file) } }),
      ),
  })
  useEffect(() => () => running.current?.abort(), [])
  const file = preview?.file
  useEffect(() => (file ? () => URL.revokeObjectURL(file) : undefined), [file])

  /** Without an image again, and why. */
  const drop = (why: string | null) => {
    running.current?.abort()
    reset()
    setPreview(null)
    setUnseen(null)
    setProblem(why)
    onImage(null, null)
  }
  const upload = (file: File) => {
    const refused = refusal(file)
    drop(refused)
    if (refused) return
    const controller = new AbortController()
    running.current = controller
    const shown = URL.createObjectURL(file)
    setPreview({ file: shown, url: null })
    mutate(
      { file, signal: controller.signal },
      {
        onSuccess: ({ url, width, height }) => {
          setPreview({ file: shown, url })
          onImage(url, { width, height })
        },
        onError: (error) => {
          if (controller.signal.aborted) return
          setPreview(null)
          setProblem(error.message)
        },
      },
    )
  }
  const isOver = useImageDrop(upload)
  const picture = pictureOf(url, preview)
  return {
    upload,
    drop,
    isPending,
    isOver,
    problem,
    picture: picture === unseen ? null : picture,
    /** A link that has ended, or a file that the browser cannot show. */
    onUnseen: () => setUnseen(picture),
  }
}

/** What can be shown of an image: the page may load pictures of this service alone. */
function pictureOf(url: string | null, preview: { file: string; url: string | null } | null): string | null {
  if (preview && (preview.url === null || preview.url === url)) return preview.file
  return url !== null && URL.canParse(url) && new URL(url).origin === location.origin ? url : null
}
