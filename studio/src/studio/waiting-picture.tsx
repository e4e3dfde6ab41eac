/** The picture of a film in progress: its start image, or its model's sample, blurred; else an unexposed film. */
import { useQuery } from '@tanstack/react-query'
import { type ListedVideo, videoQuery } from '../api.ts'
import { isOfThisOrigin } from './image-upload.ts'
import { useSamplePictures } from './sample.ts'
import styles from './waiting-picture.module.css'

/** @param props `startImageUrl`: left out in lists, which do not have it. `--blur` is the radius, for small frames. */
export function WaitingPicture({ model, startImageUrl = null }: { model: string; startImageUrl?: string | null }) {
  const pictureOf = useSamplePictures()
  const picture = isOfThisOrigin(startImageUrl) ? startImageUrl : pictureOf(model)
  return picture ? <img className={styles.blurred} src={picture} alt="" /> : <span className={styles.unexposed} />
}

/** The picture with the start image of the film, which it reads: for the few films on the stage. */
export function WaitingFrame({ video: { uuid, model } }: { video: ListedVideo }) {
  const { data } = useQuery(videoQuery(uuid))
  return <WaitingPicture model={model} startImageUrl={data?.startImageUrl ?? null} />
}
