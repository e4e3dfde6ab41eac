/** Where the start image lies: empty, on its way, or there; and what was wrong with the last one, in the service's words. */
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import type { ImageSize } from './form-values.ts'
import { IMAGE_TYPES, type useStartImage } from './start-image.ts'
import css from './start-image-field.module.css'

type Props = { image: ReturnType<typeof useStartImage>; url: string | null; size: ImageSize | null }

export function StartImageField({ image, url, size }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const taken = image.isPending || url !== null
  return (
    <fieldset>
      <legend className="hidden-text">Start image</legend>
      <div className={css.place} data-taken={taken} data-over={image.isOver}>
        {taken ? (
          <>
            {image.picture ? (
              <img
                key={image.picture}
                className={css.picture}
                src={image.picture}
                // Its place is taken before it is there.
                width={size?.width}
                height={size?.height}
                alt=""
                onError={image.onUnseen}
              />
            ) : null}
            <p className={css.words} role="status">
              {image.isPending ? UPLOADING : image.picture ? 'The film begins with this image.' : withoutPicture(url)}
            </p>
            <Button kind="quiet" onClick={() => image.drop(null)}>
              {image.isPending ? 'Stop' : 'Remove'}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => input.current?.click()}>Choose a start image</Button>
            <p className={css.words}>
              {image.isOver ? 'Let it go to begin with it' : 'or drop it on this page, or paste it'}
            </p>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Start image"
          accept={IMAGE_TYPES.join(',')}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file) image.upload(file)
          }}
        />
      </div>
      {image.problem ? (
        <p className={`field-error ${css.problem}`} role="alert">
          {image.problem}
        </p>
      ) : null}
    </fieldset>
  )
}

const UPLOADING = 'Uploading. This can take minutes.'

function withoutPicture(link: string | null): string {
  const url = link === null ? null : URL.parse(link)
  if (url?.origin === location.origin) return 'The film begins with an image that cannot be shown.'
  return url ? `The film begins with an image from ${url.host}.` : ''
}
