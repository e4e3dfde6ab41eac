/** Stands in for media/film/inspect.ts, which decodes a film in a child process: reads the simulated file instead. */
import { MediaRefused } from '../../server/src/media/refusal.ts'
import { currentServices } from './services.ts'

export async function inspectFilm(file: string, options: { thumbnailFile: string; signal?: AbortSignal }) {
  const { process, scheduler, settle } = currentServices()
  const film = process.files.get(file) as { isFilm: boolean; size: number } | undefined
  await settle(scheduler.random.between(50, 1500), options.signal)
  if (!film) throw new Error('ENOENT: the film is not there')
  if (!film.isFilm) throw new MediaRefused('NOT_A_VIDEO', 'This file is no film.')
  process.files.set(options.thumbnailFile, { ...film, isThumbnail: true })
  return {
    durationS: 4,
    width: 1280,
    height: 720,
    codec: 'avc' as const,
    contentType: 'video/mp4' as const,
    extension: 'mp4' as const,
    sizeBytes: film.size,
    thumbnail: { width: 640, height: 360, sizeBytes: 1000 },
  }
}
