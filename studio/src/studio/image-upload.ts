/**
 * The upload of an image that the user picked, dropped or pasted. Only the uploaded image's URL enters the form values;
 * the page previews the local file during the upload and after it.
 */
import { t } from '@lingui/core/macro'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import type { DraftImage } from './form-values.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const SIZE_BYTES_MAX = 15 * 1024 * 1024
/** The media type of a file whose type the operating system does not know. */
const UNKNOWN_TYPE = 'application/octet-stream'
const uploadKey = ['image-upload']

/** Whether any image of the form is being uploaded. */
export const useIsUploading = (): boolean => useIsMutating({ mutationKey: uploadKey }) > 0

/** Checks a file before the upload. @returns a message for the user; null when the file may be uploaded */
function fileError({ type, size }: File): string | null {
  if (type && type !== UNKNOWN_TYPE && !type.startsWith('image/')) return t`An image is a PNG, JPEG or WebP file.`
  if (size > SIZE_BYTES_MAX) return t`The image is larger than 15 MB. Make it smaller, or choose another one.`
  return null
}

/** The API requires an image media type but detects the format by content sniffing, so a guess is fine. */
const contentTypeOf = ({ type }: Blob): string => (IMAGE_TYPES.includes(type) ? type : 'image/png')

export const uploadImage = (file: Blob, signal?: AbortSignal): Promise<DraftImage> =>
  dataOf(
    kinora.POST('/api/v1/video/image', {
      body: file,
      headers: { 'content-type': contentTypeOf(file) },
      ...(signal && { signal }),
    }),
  )

/** `objectUrl`: of the local file; `uploadedUrl`: null during the upload */
type LocalPreview = { objectUrl: string; uploadedUrl: string | null }

/**
 * @param url the URL of the image in the form values
 * @param onChange receives the uploaded image, or null when the image was removed
 */
export function useImageUpload(url: string | null, onChange: (image: DraftImage | null) => void) {
  const [preview, setPreview] = useState<LocalPreview | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const { mutate, reset, isPending } = useMutation({
    mutationKey: uploadKey,
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) => uploadImage(file, signal),
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
    onChange(null)
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
          onChange({ url, ...(width && height && { width, height }) })
        },
        onError: (error) => {
          if (controller.signal.aborted) return
          setPreview(null)
          setError(error.message)
        },
      },
    )
  }
  const previewUrl = previewUrlOf(url, preview)
  return {
    upload,
    stop,
    remove,
    isPending,
    error,
    previewUrl: previewUrl === brokenUrl ? null : previewUrl,
    /** The img element calls it: the link has expired, or the browser cannot decode the file. */
    onPreviewError: () => setBrokenUrl(previewUrl),
  }
}

/** The Content-Security-Policy allows images of this origin only, so an external image has no preview. */
function previewUrlOf(url: string | null, preview: LocalPreview | null): string | null {
  if (preview && (preview.uploadedUrl === null || preview.uploadedUrl === url)) return preview.objectUrl
  return isOfThisOrigin(url) ? url : null
}

export const isOfThisOrigin = (link: string | null): boolean =>
  link !== null && URL.canParse(link) && new URL(link).origin === location.origin
