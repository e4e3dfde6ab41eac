/** A model's sample beside its name: a picture, over which its film plays under pointer or keyboard focus. */
import type { Schemas } from '@kinora/client'
import styles from './model-sample.module.css'
import { Poster } from './poster.tsx'

export type Sample = { videoUrl: string | null; thumbnailUrl: string | null }

/** Null without one. A sample of the operator's files has no thumbnail. */
export function sampleOf({
  sample: [link],
  sampleThumbnailUrl,
}: Pick<Schemas['Model'], 'sample' | 'sampleThumbnailUrl'>): Sample | null {
  return link === undefined ? null : { videoUrl: link, thumbnailUrl: sampleThumbnailUrl }
}

export const ModelSample = ({ sample, isPreviewing }: { sample: Sample; isPreviewing: boolean }) => (
  <span className={styles.sample}>
    {sample.videoUrl && !sample.thumbnailUrl ? <FirstFrame src={sample.videoUrl} /> : null}
    <Poster {...sample} isPreviewing={isPreviewing} />
  </span>
)

const FirstFrame = ({ src }: { src: string }) => (
  <video src={src} preload="metadata" muted playsInline disablePictureInPicture aria-hidden="true" tabIndex={-1} />
)
