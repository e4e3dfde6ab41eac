/** A draft that begins where a film ends. Loaded on demand. */
import { toast } from '../ui/toasts.tsx'
import { frameOf, frameUnreadableText } from '../video/film-frame.ts'
import { ANIMATE } from './form-fields.ts'
import type { Draft } from './form-values.ts'
import { uploadFile } from './upload-file.ts'

/** @param seconds of the frame, where the last one is not the film's */
export async function startingAtLastFrame(
  draft: Draft,
  videoUrl: string,
  model: string,
  seconds = Number.POSITIVE_INFINITY,
): Promise<Draft> {
  const frame = await frameOf(videoUrl, seconds)
  if (frame) return { ...draft, model, mode: ANIMATE, inputs: { start: [await uploadFile(frame)] } }
  toast({ text: frameUnreadableText() })
  return draft
}
