/** Where the start image lies: empty, on its way, or there; and what was wrong with the last one. */
import { useRef } from 'react'
import { Button } from '../look/button.tsx'
import css from './image-place.module.css'
import { IMAGE_TYPES, type useStartImage } from './start-image.ts'

type Props = { image: ReturnType<typeof useStartImage>; url: string | null }

export function ImagePlace({ image, url }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const taken = image.isPending || url !== null
  return (
    <fieldset>
      <legend className="hidden-text">Start image</legend>
      <div className={css.place} data-taken={taken} data-over={image.isOver}>
        {taken ? (
          <>
            {image.picture ? <img className={css.picture} src={image.picture} alt="" /> : null}
            <p className={css.words} role="status">
              {image.isPending ? 'Uploading' : image.picture ? 'The film begins with this image.' : hostOf(url)}
            </p>
            <Button kind="quiet" onClick={image.remove}>
              Remove
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
        <p className={`field-problem ${css.problem}`} role="alert">
          {image.problem}
        </p>
      ) : null}
    </fieldset>
  )
}

const hostOf = (url: string | null): string =>
  url !== null && URL.canParse(url) ? `The film begins with an image from ${new URL(url).host}.` : ''
