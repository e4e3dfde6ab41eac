/** A film that this browser cannot decode, such as HEVC in Chromium: how it is noticed, what is shown. */
import { t } from '@lingui/core/macro'
import { fetchThroughGate } from '../read-gate.ts'
import { buttonClass } from '../ui/button.tsx'

/** Whether a video element that has read the metadata shows nothing: the browser plays the sound alone. */
export const hasNoPicture = ({ videoWidth }: HTMLVideoElement): boolean => videoWidth === 0

/**
 * Whether the service still has a film that could not be played, so that the film is the reason and not the connection
 * or the link. The element's own error is the same for both. A redirect to a storage counts: the page may not read from
 * there. A file is no operation of the API, so @kinora/client has no call for it.
 */
export async function isReachable(src: string): Promise<boolean> {
  const request = new Request(src, { method: 'HEAD', redirect: 'manual', cache: 'no-store' })
  try {
    const { ok, type } = await fetchThroughGate(request)
    return ok || type === 'opaqueredirect'
  } catch {
    return false
  }
}

const NAME_CHARACTERS_MAX = 60

/** The signed link with `download`, which makes the response an attachment, named by the prompt where one is given. */
export function downloadUrl(link: string, prompt = ''): string {
  const url = new URL(link)
  const words = prompt.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  url.searchParams.set('download', '')
  if (words) url.searchParams.set('filename', [...words].slice(0, NAME_CHARACTERS_MAX).join('').trim())
  return url.href
}

export function UnplayableFilm({ src, className }: { src: string; className: string | undefined }) {
  return (
    <div className={className} role="alert">
      <p>{t`Your browser cannot show this kind of film: download it.`}</p>
      <p>
        <a className={buttonClass('plain')} href={downloadUrl(src)} download>
          {t`Download the film`}
        </a>
      </p>
    </div>
  )
}
