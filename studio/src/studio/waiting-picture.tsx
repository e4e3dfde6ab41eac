/** The picture of a film in progress, blurred: one that it is made from, or its model's sample; else unexposed film. */
import type { Video } from '@kinora/client'
import { useQuery } from '@tanstack/react-query'
import { type ListedVideo, videoQuery } from '../api.ts'
import { isOfThisOrigin } from './own-link.ts'
import { useSamples } from './sample.ts'
import styles from './waiting-picture.module.css'

/** @param props `picture`: left out in lists, which do not have it. `--blur` is the radius, for small frames. */
export function WaitingPicture({ model, picture = null }: { model: string; picture?: string | null }) {
  const sampleOf = useSamples()
  const shown = isOfThisOrigin(picture) ? picture : sampleOf(model)?.thumbnailUrl
  return shown ? <img className={styles.blurred} src={shown} alt="" /> : <span className={styles.unexposed} />
}

/** A link to the first picture among what a film is made from. */
export const pictureIn = (inputs: Video['inputs'] | undefined): string | null =>
  inputs?.find(({ kind }) => kind === 'image')?.url ?? null

/** The picture with one of what the film is made from, which it reads: for the few films on the stage. */
export function WaitingFrame({ video: { uuid, model } }: { video: ListedVideo }) {
  const { data } = useQuery(videoQuery(uuid))
  return <WaitingPicture model={model} picture={pictureIn(data?.inputs)} />
}
