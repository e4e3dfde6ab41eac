/** Opens the takes and the sound of a cut. It runs in the child process only. */
import {
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { FilmLimits } from '../film/film.ts'
import { endOf, probeFilm, sourceOf } from '../film/probe.ts'
import type { FilmBytes } from '../film/structure.ts'
import { MediaRefused } from '../refusal.ts'

/** `startS`, `endS`: of what is shown and heard, in the time of the tracks. */
export type Take = { video: InputVideoTrack; audio: InputAudioTrack | null; startS: number; endS: number }
export type Sound = { audio: InputAudioTrack; startS: number; endS: number }

/** @throws MediaRefused */
export async function openTake(bytes: FilmBytes, limits: FilmLimits): Promise<Take> {
  const { film, track: video } = await probeFilm(bytes, limits)
  const audio = await audioOf(video.input)
  const startS = await startOf(video.input, audio ? [video, audio] : [video])
  return { video, audio, startS, endS: film.durationS }
}

/** @throws MediaRefused */
export async function openSound(bytes: FilmBytes): Promise<Sound> {
  const input = new Input({ formats: [MP4, QTFF, WEBM, WAVE, OGG, MP3], source: sourceOf(bytes) })
  const audio = await audioOf(input)
  if (!audio) throw new MediaRefused('NO_SOUND', 'The file has no sound in it.')
  const isClaimed = (await input.getFormat()) !== MP3
  return { audio, startS: await startOf(input, [audio]), endS: await endOf([audio], { isClaimed }) }
}

/** What lies before the beginning is not shown: it only prepares decoders. */
const startOf = async (input: Input, tracks: InputTrack[]): Promise<number> =>
  Math.max(0, await input.getFirstTimestamp(tracks))

async function audioOf(input: Input): Promise<InputAudioTrack | null> {
  const audio = await input.getPrimaryAudioTrack()
  if (audio && !(await audio.canDecode())) {
    throw new MediaRefused('UNSUPPORTED_CODEC', 'The sound uses a codec that is not supported.')
  }
  return audio
}
