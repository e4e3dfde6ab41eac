/**
 * Renders a cut: one film of the takes of a project's shots. Takes are untrusted files, so all decoding and encoding
 * happens in a sandboxed child process, and the film is one that has to be inspected like any other.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { type ChildLimits, type Job, type JobKind, startChild } from '../child-process.ts'
import { queues } from '../queues.ts'
import { cutRefusalCodes, MediaRefused } from '../refusal.ts'
import { parseReply } from '../reply.ts'
import { sandboxLayers } from '../sandbox/sandbox.ts'
import { CUT_FRAME_RATE_MAX, type CutJob, type CutRecipe, framesOf, type MadeCut, problemOf } from './cut.ts'

export type RenderedCut = MadeCut & { sizeBytes: number }

type RenderOptions = {
  userId: string
  signal?: AbortSignal
  /** In percent; each number once, and larger than the one before. */
  onProgress?: (percent: number) => void
  limits?: Partial<Omit<CutJob, keyof CutRecipe>>
}

const REPLY_BYTES_MAX = 4096

const cutReply = Type.Object({
  cut: Type.Object({
    width: Type.Integer(),
    height: Type.Integer(),
    fps: Type.Number({ minimum: 1, maximum: CUT_FRAME_RATE_MAX }),
    durationS: Type.Number(),
    hasSound: Type.Boolean(),
    copied: Type.Boolean(),
  }),
})
const encodersReply = Type.Object({ encoders: Type.Object({ video: Type.Boolean(), audio: Type.Boolean() }) })

/**
 * Writes the cut to `outFile`. At most two are rendered at a time, one of a user; further calls queue, and users are
 * served round robin. No file is left when it fails.
 * @param files the paths of the takes and of the sound beside; the recipe has their numbers
 * @throws MediaRefused when a file is at fault, with the shot's number in its message; the signal's reason; an ordinary
 *   Error for a failure of the server, a recipe that no cut has, and a machine without encoders
 */
export async function renderCut(
  recipe: CutRecipe,
  files: string[],
  outFile: string,
  options: RenderOptions,
): Promise<RenderedCut> {
  const problem = problemOf(recipe)
  if (problem !== null) throw new Error(problem)
  const release = await queues.cut.acquire(options.userId, options.signal)
  const handles: FileHandle[] = []
  try {
    const missing = await encodingProblem()
    if (missing !== null) throw new Error(missing)
    await using output = await open(outFile, 'w+')
    for (const file of files) handles.push(await open(file, 'r'))
    const job = jobOf(recipe, { handle: output, files: handles }, options)
    return await validateReply(await runOnce('cut', job), output, recipe)
  } catch (error) {
    await rm(outFile, { force: true })
    throw error
  } finally {
    for (const handle of handles) await handle.close()
    release()
  }
}

let encoding: Promise<string | null> | null = null

/**
 * Why this machine cannot render a cut, as a sentence for the operator; null: it can. Tried once in each process.
 *
 * node-webcodecs 1.3 brings H.264 (OpenH264) and AAC on Linux x64. Elsewhere it takes the FFmpeg of the system, which
 * may have decoders alone.
 */
export function encodingProblem(): Promise<string | null> {
  encoding ??= findEncodingProblem().catch((error) => {
    encoding = null
    throw error
  })
  return encoding
}

async function findEncodingProblem(): Promise<string | null> {
  const limits: ChildLimits = { memoryMaxBytes: 768 * 1024 * 1024, cpuMaxS: 10, timeoutMs: 60_000 }
  const failure = 'The encoders could not be tried'
  const reply = await runOnce('encoders', { files: [], limits, replyMaxBytes: REPLY_BYTES_MAX, failure })
  const { line } = parseReply(reply, [])
  const { video = false, audio = false } = Check(encodersReply, line) ? line.encoders : {}
  if (video && audio) return null
  const codecs = [...(video ? [] : ['H.264']), ...(audio ? [] : ['AAC'])].join(' and ')
  const remedy = 'install an FFmpeg (libavcodec) with an encoder for it, such as libx264'
  return `Cuts cannot be rendered on this machine (${process.platform} ${process.arch}): it cannot encode ${codecs}; ${remedy}.`
}

/** A child of its own: no cut is so short that a start counts. */
async function runOnce(kind: JobKind, job: Job): Promise<Buffer> {
  job.signal?.throwIfAborted()
  const { limits, files } = job
  const child = startChild({ kind, limits, files, layers: await sandboxLayers(), isReused: false })
  try {
    return await child.run(job)
  } finally {
    await child.end()
  }
}

function jobOf(
  recipe: CutRecipe,
  { handle, files }: { handle: FileHandle; files: FileHandle[] },
  { signal, onProgress, limits }: RenderOptions,
): Job {
  const cut: CutJob = { ...recipe, ...limitsOf(recipe), ...limits }
  let told = -1
  // The shot in which the child was when it ended. It is one of the cut, even when the child lies.
  let shot = 0
  return {
    ...{ files, limits: cut, replyMaxBytes: REPLY_BYTES_MAX, signal },
    output: { handle, bytesMax: cut.bytesMax },
    get failure() {
      return `Shot ${shot + 1}: The film could not be made a part of the cut within the limits`
    },
    onProgress: (percent, part) => {
      shot = Math.min(part, recipe.shots.length - 1)
      if (percent <= told || percent > 100) return
      told = percent
      onProgress?.(percent)
    },
  }
}

/**
 * Processor time by what there is to do: four times what 1080p takes, and for each shot what is decoded before it where
 * a take has no key frame.
 */
function limitsOf({ width, height, fps = CUT_FRAME_RATE_MAX, shots }: CutRecipe): Omit<CutJob, keyof CutRecipe> {
  const frames = shots.reduce((sum, shot) => sum + framesOf(shot, fps), 0)
  const cpuMaxS = Math.ceil(60 + 20 * shots.length + frames * (0.1 + (width * height) / 1e7))
  return {
    sidePixelsMax: 5120,
    pixelsMax: 12_000_000,
    durationMaxS: 600.5,
    memoryMaxBytes: 1536 * 1024 * 1024,
    cpuMaxS,
    timeoutMs: cpuMaxS * 3000,
    bytesMax: 2 * 1024 ** 3,
  }
}

/** A hostile take may control the child, so a reply that no cut of this recipe could produce is refused. */
async function validateReply(reply: Buffer, output: FileHandle, recipe: CutRecipe): Promise<RenderedCut> {
  const { line } = parseReply(reply, cutRefusalCodes)
  const { buffer } = await output.read(Buffer.alloc(8), 0, 8, 0)
  const { size: sizeBytes } = await output.stat()
  const isWhole = Check(cutReply, line) && buffer.toString('latin1', 4, 8) === 'ftyp'
  if (!isWhole || !isOf(line.cut, recipe)) {
    throw new MediaRefused('UNDECODABLE', 'The cut could not be made of these films.')
  }
  return { ...line.cut, sizeBytes }
}

function isOf(made: MadeCut, { width, height, fps = made.fps, shots }: CutRecipe): boolean {
  const frames = shots.reduce((sum, shot) => sum + framesOf(shot, fps), 0)
  return made.width === width && made.height === height && made.fps === fps && made.durationS === frames / fps
}
