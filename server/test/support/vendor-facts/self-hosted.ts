/** Servers that an operator runs. */
import { Type } from 'typebox'
import { type Facts, type Fields, link, number, object, one, text } from './fields.ts'

/** ComfyUI: what `set` sets by node; the workflow is compared with the snapshot */
const comfyui = (set: Fields) =>
  object({
    prompt: Type.Record(Type.String({ pattern: '^\\d+$' }), object({ class_type: text }, { inputs: Type.Object({}) })),
    set: object(set),
    output: text,
  })
/** 4n + 1, at 24 a second */
const frameCount = one(25, 49, 73, 97, 121)
const wanSize = { width: one(1280, 704), height: one(1280, 704) }

export const selfHosted: Record<string, Record<string, Facts>> = {
  comfyui: {
    'wan-2.2': {
      'text-to-video': comfyui({
        3: object({ seed: number }),
        6: object({ text }),
        7: object({ text }),
        55: object({ ...wanSize, length: frameCount }),
      }),
      'image-to-video': comfyui({
        3: object({ seed: number }),
        6: object({ text }),
        7: object({ text }),
        55: object({ ...wanSize, length: frameCount }),
        56: object({ image: link }),
      }),
    },
    'hunyuan-video': comfyui({
      25: object({ noise_seed: number }),
      44: object({ text }),
      45: object({ width: one(848, 480, 1280, 720), height: one(848, 480, 1280, 720), length: frameCount }),
    }),
  },
  openai: {
    'wan-2.2': object(
      {
        prompt: text,
        seconds: Type.String({ pattern: '^[1-9]\\d*$' }),
        size: one('1280x704', '704x1280'),
        fps: Type.Literal(24),
        seed: number,
      },
      { negative_prompt: text, input_reference: link },
    ),
  },
  localai: {
    'wan-2.2': object(
      { prompt: text, ...wanSize, num_frames: frameCount, fps: Type.Literal(24), seed: number },
      { negative_prompt: text, start_image: link },
    ),
  },
}
