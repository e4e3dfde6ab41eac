/**
 * The upload of a file that the user picked, dropped or pasted. Only what was uploaded enters the form values; the page
 * previews the local file during the upload and after it.
 */
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { assetQuery, filesOf, kindOfFile, UNKNOWN_TYPE } from './asset-file.ts'
import { type DraftInput, KINDS, type Kind } from './form-values.ts'
import { formatsText, tooLargeText } from './input-words.ts'
import { isOfThisOrigin } from './own-link.ts'

const uploadKey = ['upload']

/** Whether any file of the form is being uploaded. */
export const useIsUploading = (): boolean => useIsMutating({ mutationKey: uploadKey }) > 0

/** Checks a file before the upload. @returns a message for the user; null when the file may be uploaded */
function fileError(file: File, kinds: readonly string[]): string | null {
  const kind = kindOfFile(file)
  const isKnown = file.type && file.type !== UNKNOWN_TYPE
  if (!kinds.includes(kind) || (isKnown && !file.type.startsWith(filesOf[kind].media)))
    return KINDS.filter((each) => kinds.includes(each))
      .map(formatsText)
      .join(' ')
  return file.size > filesOf[kind].bytesMax ? tooLargeText(kind) : null
}

/** `objectUrl`: of the local file; `uploaded`: null during the upload */
type LocalPreview = { objectUrl: string; kind: Kind; uploaded: DraftInput | null }

/**
 * @param input of the form values
 * @param onChange receives what was uploaded, or null when the input was removed
 */
export function useUpload(
  kinds: readonly string[],
  input: DraftInput | null,
  onChange: (input: DraftInput | null) => void,
) {
  const [local, setLocal] = useState<LocalPreview | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [progress, setProgress] = useState(0)
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const { mutate, reset, isPending } = useMutation({
    mutationKey: uploadKey,
    mutationFn: async ({ file, signal }: { file: File; signal: AbortSignal }) => {
      const { uploadFile } = await import('./upload-file.ts')
      return await uploadFile(file, { signal, onProgress: setProgress })
    },
  })
  const asset = useQuery({ ...assetQuery(input?.asset ?? ''), enabled: input?.asset !== undefined })
  useEffect(() => () => running.current?.abort(), [])
  const objectUrl = local?.objectUrl
  useEffect(() => (objectUrl ? () => URL.revokeObjectURL(objectUrl) : undefined), [objectUrl])

  /** Cancels the upload; an input uploaded before stays. */
  const stop = () => {
    running.current?.abort()
    reset()
    setLocal(null)
    setError(null)
  }
  const remove = () => {
    stop()
    setBrokenUrl(null)
    onChange(null)
  }
  /** Replaces the input once the upload is complete: a file that is refused leaves the input before it. */
  const upload = (file: File) => {
    const invalid = fileError(file, kinds)
    if (invalid) return setError(invalid)
    stop()
    setProgress(0)
    const controller = new AbortController()
    running.current = controller
    const objectUrl = URL.createObjectURL(file)
    setLocal({ objectUrl, kind: kindOfFile(file), uploaded: null })
    mutate(
      { file, signal: controller.signal },
      {
        onSuccess: (uploaded) => {
          setLocal({ objectUrl, kind: uploaded.kind, uploaded })
          onChange(uploaded)
        },
        onError: (error) => {
          if (controller.signal.aborted) return
          setLocal(null)
          setError(error.message)
        },
      },
    )
  }
  const isOfInput = local && (local.uploaded === null || sourceOf(local.uploaded) === sourceOf(input))
  // The Content-Security-Policy allows no film or sound of a local file.
  const previewUrl =
    isOfInput && local.kind === 'image' ? local.objectUrl : isPending ? null : (asset.data?.url ?? ownLinkOf(input))
  return {
    upload,
    stop,
    remove,
    isPending,
    progress,
    error,
    asset: asset.data,
    /** It cannot be shown. */
    isBroken: asset.isError || (previewUrl !== null && previewUrl === brokenUrl),
    /** Of the file that is being uploaded. */
    kind: isOfInput ? local.kind : null,
    previewUrl: previewUrl === brokenUrl ? null : previewUrl,
    /** The element calls it: the link has expired, or the browser cannot decode the file. */
    onPreviewError: () => setBrokenUrl(previewUrl),
  }
}

/** What tells an input from another one. */
export const sourceOf = (input: DraftInput | null): string | undefined => input?.asset ?? input?.video ?? input?.url

function ownLinkOf(input: DraftInput | null): string | null {
  const url = input?.url ?? null
  return isOfThisOrigin(url) ? url : null
}
