/** Opens the generate form with a video's settings; for a failed larger copy, its film on the stage. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'

type Props = {
  video: { uuid: string; prompt: string; upscaledFrom: string | null; failure: { retryable: boolean } | null }
  className?: string
}

export const TryAgainLink = ({ video: { uuid, prompt, upscaledFrom, failure }, className }: Props) => (
  // The title tells the links of a list apart.
  <Link
    to="/"
    search={failure && upscaledFrom ? { film: upscaledFrom } : { again: uuid }}
    title={prompt}
    preload={false}
    data-failed={failure ? true : undefined}
    {...(className ? { className } : {})}
  >
    {!failure ? t`Reuse settings` : failure.retryable ? t`Try again` : t`Change the request`}
  </Link>
)
