/**
 * The upload of a start image that the user picked, dropped or pasted. Only the uploaded image's URL enters the form values;
 * the page previews the local file during the upload and after it.
 */
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import type { ImageSize } from './form-values.ts'
import { useImageDrop } from './image-drop.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const SIZE_BYTES_MAX = 15 * 1024 * 1024
/** The media type of a file whose type the operating system does not know. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** Checks a file before the upload. @returns a message for the user; null when the file may be uploaded */
function fileError({ type, size }: File): string | null {
  if (type && type !== UNKNOWN_TYPE && !type.startsWith('image/')) return t`A start image is a PNG, JPEG or WebP file.`
  if (size > SIZE_BYTES_MAX) return t`The image is larger than 15 MB. Make it smaller, or choose another one.`
  return null
}

/** The API requires an image media type but detects the format by content sniffing, so a guess for an unknown type is fine. */
const contentTypeOf = ({ type }: File): string => (IMAGE_TYPES.includes(type) ? type : 'image/png')

/** `objectUrl`: of the local file; `uploadedUrl`: null during the upload */
type LocalPreview = { objectUrl: string; uploadedUrl: string | null }

/**
 * @param url the start image URL of the form values
 * @param onChange receives the uploaded image's URL and size, or nulls when the image was removed
 */
export function useStartImage(url: string | null, onChange: (url: string | null, size: ImageSize | null) => void) {
  const [preview, setPreview] = useState<LocalPreview | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const { mutate, reset, isPending } = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) =>
      dataOf(
        kinora.POST('/api/v1/video/image', { body: file, signal, headers: { 'content-type': contentTypeOf(file) } }),
      ),
  })
  useEffect(() => () => running.current?.abort(), [])
  const objectUrl = preview?.objectUrl
  useEffect(() => (objectUrl ? () => URL.revokeObjectURL(objectUrl) : undefined), [objectUrl])

  /** Cancels the upload; an image uploaded before stays. */
  const stop = () => {
    running.current?.abort()
    reset()
    setPreview(null)
    setError(null)
  }
  /** Cancels the upload and removes the image. @param reason shown to the user; null when the user removed it */
  const remove = (reason: string | null) => {
    stop()
    setBrokenUrl(null)
    setError(reason)
    onChange(null, null)
  }
  /** Replaces the image once the upload is complete: a file that is refused leaves the image before it. */
  const upload = (file: File) => {
    const invalid = fileError(file)
    if (invalid) return setError(invalid)
    stop()
    const controller = new AbortController()
    running.current = controller
    const objectUrl = URL.createObjectURL(file)
    setPreview({ objectUrl, uploadedUrl: null })
    mutate(
      { file, signal: controller.signal },
      {
        onSuccess: ({ url, width, height }) => {
          setPreview({ objectUrl, uploadedUrl: url })
          onChange(url, { width, height })
        },
        onError: (error) => {
          if (controller.signal.aborted) return
          setPreview(null)
          setError(error.message)
        },
      },
    )
  }
  const isDraggingOver = useImageDrop(upload)
  const previewUrl = previewUrlOf(url, preview)
  return {
    upload,
    stop,
    remove,
    isPending,
    isDraggingOver,
    error,
    previewUrl: previewUrl === brokenUrl ? null : previewUrl,
    /** The img element calls it: the link has expired, or the browser cannot decode the file. */
    onPreviewError: () => setBrokenUrl(previewUrl),
  }
}

/** The Content-Security-Policy allows images of this origin only, so an external start image has no preview. */
function previewUrlOf(url: string | null, preview: LocalPreview | null): string | null {
  if (preview && (preview.uploadedUrl === null || preview.uploadedUrl === url)) return preview.objectUrl
  return url !== null && URL.canParse(url) && new URL(url).origin === location.origin ? url : null
}
