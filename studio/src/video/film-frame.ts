/** One frame of a film as a picture. */
import { t } from '@lingui/core/macro'

/** Before the end, where every decoder still has a frame. */
const BEFORE_END_S = 0.05

/**
 * @param seconds of the frame; Infinity: the last one
 * @returns null when the browser cannot read the film, such as from a storage that does not allow it
 */
export async function frameOf(videoUrl: string, seconds: number): Promise<Blob | null> {
  const video = document.createElement('video')
  try {
    video.crossOrigin = 'anonymous'
    video.muted = true
    video.preload = 'auto'
    await eventOf(video, 'loadeddata', () => {
      video.src = videoUrl
    })
    await eventOf(video, 'seeked', () => {
      video.currentTime = Math.max(0, Math.min(seconds, video.duration - BEFORE_END_S))
    })
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    canvas.getContext('2d')?.drawImage(video, 0, 0)
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  } catch {
    return null
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

export const frameUnreadableText = (): string =>
  t`Your browser cannot read a frame of this film. Download it and choose a picture of it.`

function eventOf(video: HTMLVideoElement, name: 'loadeddata' | 'seeked', start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(name, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('not playable')), { once: true })
    start()
  })
}
