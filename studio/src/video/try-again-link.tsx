/** Opens the generate form with a video's settings; for a failed larger copy, its film on the stage. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { isCut } from '../cuts.ts'
import { type NamedFilm, useFilmNames } from '../film-name.ts'

type Props = {
  video: NamedFilm & { uuid: string; upscaledFrom: string | null; failure: { retryable: boolean } | null }
  className?: string
}

export function TryAgainLink({ video, className }: Props) {
  const filmName = useFilmNames()
  const { uuid, upscaledFrom, failure } = video
  if (isCut(video)) return null
  return (
    // The title tells the links of a list apart.
    <Link
      to="/"
      search={failure && upscaledFrom ? { film: upscaledFrom } : { again: uuid }}
      title={filmName(video)}
      preload={false}
      data-failed={failure ? true : undefined}
      {...(className ? { className } : {})}
    >
      {!failure ? t`Reuse settings` : failure.retryable ? t`Try again` : t`Change the request`}
    </Link>
  )
}
