/** Runway: an endpoint for each kind of film, pixel sizes as ratio, status words in capitals, DELETE removes a task. */
import { type Dialect, progressOf, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { problemIn } from '../vendor-body.ts'

const VERSION = '2024-11-06'
const CREDITS_PER_S = 12
const fields: Fields = {
  'promptImage[position=first]': 'start',
  'promptImage[position=last]': 'end',
  'promptImage[position=]': 'reference',
  references: 'reference',
  referenceVideos: 'reference film',
  referenceAudio: 'reference sound',
  videoUri: 'film',
  promptVideo: 'film',
  keyframes: 'keyframe',
  'character[type=image]': 'start',
  'character[type=video]': 'film',
  reference: 'motion',
}
const KINDS = 'text_to_video|image_to_video|video_to_video|character_performance|video_upscale'

export const dialect: Dialect = {
  refuse: (c, status, message, path = ['duration']) => {
    if (status === 400) {
      const issues = [{ code: 'custom', path, message }]
      return c.json({ error: 'Validation of body failed', issues, docUrl: 'https://docs.dev.runwayml.com/api' }, 400)
    }
    if (status === 402) return c.json({ error: 'You do not have enough credits to run this task.' }, 400)
    return c.json({ error: message }, status === 422 ? 400 : status)
  },
  routes: (app, tasks) => {
    app.use(async (c, next) => {
      const version = c.req.header('x-runway-version')
      return version === VERSION ? next() : c.json({ error: `X-Runway-Version must be ${VERSION}.` }, 400)
    })
    app.get('/v1/organization', (c) => {
      const limits = { maxConcurrentGenerations: 5, maxDailyGenerations: 1000 }
      const models = Object.fromEntries(tasks.models().map(({ name }) => [name, limits]))
      return c.json({ creditBalance: 1000, tier: { maxMonthlyCreditSpend: 100_000, models }, usage: { models: {} } })
    })
    app.post(`/v1/:kind{${KINDS}}`, async (c) => {
      const body = await c.req.json()
      const { model, promptText: prompt, promptImage, duration, ratio, resolution } = body
      const only = typeof promptImage === 'string' ? { promptImage: [{ uri: promptImage, position: 'first' }] } : {}
      const inputs = inputsIn({ ...body, ...only }, fields)
      if (c.req.param('kind') === 'image_to_video' && !promptImage?.length)
        return dialect.refuse(c, 400, 'promptImage is missing.')
      const problem = problemIn('runway', `${c.req.param('kind')} ${model}`, body)
      const wanted = { model, prompt, duration, inputs, problem, ...shapeOf(ratio, resolution) }
      return tasks.submit(c, wanted, (task) => ({ id: task.id, estimatedCost: creditsOf(task) }))
    })
    app.get('/v1/tasks/:id', (c) => tasks.poll(c, c.req.param('id'), (task) => taskObject(task, tasks.filmUrl(task))))
    app.delete('/v1/tasks/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        tasks.cancel(task)
        tasks.remove(task)
        return c.body(null, 204)
      }),
    )
  },
}

/** `1280:720` are pixels, `16:9` is a ratio, `auto_720p` follows the image. */
function shapeOf(ratio: unknown, resolution: unknown): object {
  const word = String(ratio ?? 'adaptive')
  if (/^\d{3,}:\d{3,}$/.test(word)) return { size: word }
  const [, automatic] = /^auto_(.+)$/.exec(word) ?? []
  return automatic ? { aspectRatio: 'auto', quality: automatic } : { aspectRatio: word, quality: resolution }
}

function taskObject(task: Task, url: string): object {
  const { id, request, error, isCancelled } = task
  const own = { id, createdAt: new Date(task.createdAt).toISOString() }
  const state = stateOf(task)
  if (task.endedAt === null) {
    const running =
      state === 'waiting' ? { status: 'PENDING' } : { status: 'RUNNING', progress: progressOf(task) / 100 }
    const status = readSentinels(request.prompt).has('unknown-status') ? { status: 'SIMMERING' } : running
    return { ...own, ...status, estimatedCost: creditsOf(task) }
  }
  if (isCancelled) return { ...own, status: 'CANCELLED', cost: { credits: 0 } }
  const missing = missingFilm(request.prompt)
  if (error !== null) return { ...own, status: 'FAILED', failure: error, failureCode: 'INTERNAL', cost: { credits: 0 } }
  if (missing)
    return {
      ...own,
      status: 'FAILED',
      failure: missing,
      failureCode: 'INTERNAL.BAD_OUTPUT.CODE01',
      cost: { credits: 0 },
    }
  return { ...own, status: 'SUCCEEDED', output: missing === null ? [url] : [], cost: creditsOf(task) }
}

const creditsOf = ({ request }: Task): object => ({ credits: request.durationS * CREDITS_PER_S })
