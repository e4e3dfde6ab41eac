/** The start image field: empty, uploading, or with an image; and the error of the last image. */
import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import type { ImageSize } from './form-values.ts'
import { IMAGE_TYPES, type useStartImage } from './start-image.ts'
import styles from './start-image-field.module.css'

type Props = { image: ReturnType<typeof useStartImage>; url: string | null; size: ImageSize | null }

export function StartImageField({ image, url, size }: Props) {
  const fileInput = useRef<HTMLInputElement>(null)
  const hasImage = image.isPending || url !== null
  return (
    <fieldset>
      <legend className="hidden-text">{t`Start image`}</legend>
      <div className={styles.dropZone} data-filled={hasImage} data-over={image.isDraggingOver}>
        {hasImage ? (
          <>
            {image.previewUrl ? (
              <img
                key={image.previewUrl}
                className={styles.preview}
                src={image.previewUrl}
                // Reserve the space before the image loads.
                width={size?.width}
                height={size?.height}
                alt=""
                onError={image.onPreviewError}
              />
            ) : null}
            <p className={styles.hint} role="status">
              {image.isPending
                ? t`Uploading. This can take minutes.`
                : image.previewUrl
                  ? t`The film begins with this image.`
                  : textWithoutPreview(url)}
            </p>
            <Button kind="quiet" onClick={() => (image.isPending ? image.stop() : image.remove(null))}>
              {image.isPending ? t`Stop` : t`Remove`}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => fileInput.current?.click()}>{t`Choose a start image`}</Button>
            <p className={styles.hint}>
              {image.isDraggingOver ? t`Let it go to begin with it` : t`or drop it on this page, or paste it`}
            </p>
          </>
        )}
        <input
          ref={fileInput}
          type="file"
          hidden
          aria-label={t`Start image`}
          accept={IMAGE_TYPES.join(',')}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            // Reset the input, or choosing the same file again would fire no change event.
            event.currentTarget.value = ''
            if (file) image.upload(file)
          }}
        />
      </div>
      {image.error ? (
        <p className={`field-error ${styles.error}`} role="alert">
          {image.error}
        </p>
      ) : null}
    </fieldset>
  )
}

function textWithoutPreview(link: string | null): string {
  const url = link === null ? null : URL.parse(link)
  if (url?.origin === location.origin) return t`The film begins with an image that cannot be shown.`
  return url ? t`The film begins with an image from ${url.host}.` : ''
}
