/**
 * The API of a provider in its wire format: a submit is validated, rejected or refused by a sentinel, or stored as a
 * task before the response.
 */
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { type FilmRequest, filmSize } from './film-request.ts'
import { readSentinels } from './sentinels.ts'
import type { ProviderName } from './settings.ts'
import type { Submit, Tasks, WireFormat } from './tasks.ts'

const DURATION_S_MAX = 60
const PROMPT_CHARACTERS_MAX = 10_000
/** How many submits `[down]` without a number rejects. */
const DOWN_SUBMITS = 3

export function providerRoutes(provider: ProviderName, format: WireFormat, tasks: Tasks, apiKey: string | null): Hono {
  const { refuse } = format
  const app = new Hono()
  app.onError((error, c) => refuse(c, error instanceof SyntaxError ? 400 : 500, error.message))
  app.use(async (c, next) => {
    if (!apiKey || c.req.header('authorization') === `Bearer ${apiKey}`) return next()
    return refuse(c, 401, 'The API key is missing or wrong.')
  })

  app.post(format.submitPath, async (c) => {
    const submit = format.readSubmit((await c.req.json()) ?? {})
    const request = readRequest(submit)
    if (typeof request === 'string') return refuse(c, 400, request)
    const sentinels = readSentinels(request.prompt)
    const idempotencyKey = (format.isIdempotent && c.req.header('idempotency-key')) || null
    const callbackUrl = URL.parse(String(submit.callbackUrl))
    // Only the callback's `ref` names a video alike at both providers.
    const video = callbackUrl?.searchParams.get('ref') ?? idempotencyKey ?? `prompt ${request.prompt}`
    const down = sentinels.get('down')
    const downSubmits = down === undefined ? 0 : /^\d+$/.test(down) ? Number(down) : DOWN_SUBMITS
    if (tasks.countSubmit(video) < downSubmits) return refuse(c, 503, 'Try again later.')
    if (sentinels.has('refuse')) {
      return refuse(c, 422, sentinels.get('refuse') || 'The prompt was refused for its content.')
    }
    const earlier = [...tasks.all.values()].find((each) => idempotencyKey && each.idempotencyKey === idempotencyKey)
    const submitted = { id: `task-${randomUUID()}`, provider, video, idempotencyKey, request }
    const task = earlier ?? (await tasks.accept({ ...submitted, callbackUrl: callbackUrl?.href ?? null }))
    if (sentinels.has('hang')) return new Promise<never>(() => {})
    if (sentinels.has('vague')) return refuse(c, 500, 'Something went wrong.')
    return c.json(format.accepted(task, tasks.filmUrl(task)))
  })

  app.get(format.pollPath, (c) => {
    const task = tasks.all.get(c.req.param('taskId') ?? c.req.query('taskId') ?? '')
    if (task?.provider !== provider) return refuse(c, 404, 'There is no such task.')
    return c.json(format.polled(task, tasks.filmUrl(task)))
  })
  return app
}

/** @returns the request, or what is wrong with it */
function readRequest(submit: Submit): FilmRequest | string {
  const { model, prompt, image_urls: imageUrls = [] } = submit
  if (typeof model !== 'string' || !model) return 'model is missing.'
  if (typeof prompt !== 'string' || !prompt.trim()) return 'prompt is missing.'
  if (prompt.length > PROMPT_CHARACTERS_MAX) return `prompt is over ${PROMPT_CHARACTERS_MAX} characters.`
  const durationS = Number(submit.duration)
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) return `duration must be 1 to ${DURATION_S_MAX} seconds.`
  const [aspectRatio, quality] = [String(submit.aspect_ratio), String(submit.quality ?? '720p')]
  const size = filmSize(aspectRatio, quality)
  if (!size) return `aspect_ratio ${aspectRatio} in quality ${quality} is not on offer.`
  const imageUrl: unknown = Array.isArray(imageUrls) ? (imageUrls[0] ?? null) : 'no list'
  if (imageUrl !== null && (typeof imageUrl !== 'string' || !/^https?:/.test(imageUrl))) {
    return 'image_urls must be a list of http(s) addresses.'
  }
  return { prompt, model, aspectRatio, quality, ...size, durationS, imageUrl }
}
