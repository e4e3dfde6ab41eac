/**
 * Kie: HTTP 200 with a code in the body, one path for all models whose fields are named differently, results as JSON
 * inside a string and parsed beside it, credits on every record, and links that a call renews.
 */
import { type Dialect, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { openUploads } from '../uploads.ts'
import { dialect as providerB } from './provider-b.ts'

const CREDITS_PER_SECOND = 16
/** 400 is 422, which names the field; 404 is a record that is not there; 503 is maintenance. */
const codes: Record<number, number> = { 400: 422, 404: 422, 503: 455 }
const uploads = openUploads((key) => `https://tempfile.redpandaai.co/kinora/${key}.png`)

const fields: Fields = {
  ...{ first_frame_url: 'start', image_url: 'start', 'image_urls[0]': 'start', 'image_urls[1]': 'end' },
  ...{ last_frame_url: 'end', end_image_url: 'end', tail_image_url: 'end' },
  ...{ reference_image_urls: 'reference', reference_video_urls: 'reference film' },
  ...{ reference_audio_urls: 'reference sound', video_url: 'film', video_urls: 'film', audio_url: 'sound' },
}
/** What the fields of some models mean. */
const fieldsOf = (model: string): Fields =>
  /motion-control|animate/.test(model)
    ? { input_urls: 'start', image_url: 'start', video_urls: 'motion', video_url: 'motion' }
    : /avatar|infinitalk|omnihuman|speech/.test(model)
      ? { image_url: 'portrait', audio_url: 'sound' }
      : /reference/.test(model)
        ? { image_urls: 'reference', ...fields }
        : fields

export const dialect: Dialect = {
  refuse: (c, status, message) => {
    const msg = status === 404 ? 'recordInfo is null' : message
    return c.json({ code: codes[status] ?? status, msg, data: null }, status === 500 ? 500 : 200)
  },
  routes: (app, tasks) => {
    for (const version of ['v1', 'v3']) {
      app.post(`/api/${version}/jobs/createTask`, async (c) => {
        const { model, callBackUrl: callbackUrl, input = {} } = await c.req.json()
        const isMotion = String(model).endsWith('/motion-control')
        if (isMotion && !(input.input_urls && input.video_urls))
          return dialect.refuse(c, 400, 'input_urls and video_urls are required')
        const wanted = {
          prompt: input.prompt,
          model,
          duration: input.duration,
          aspectRatio: input.aspect_ratio ?? input.ratio,
          quality: input.resolution ?? input.quality ?? (isMotion ? input.mode : undefined),
          inputs: inputsIn(input, fieldsOf(model), uploads.find),
          callbackUrl,
        }
        return tasks.submit(c, wanted, ({ id: taskId }) => success({ taskId, recordId: `record-${taskId}` }))
      })
    }
    app.get('/api/v1/jobs/recordInfo', (c) =>
      tasks.poll(c, c.req.query('taskId'), (task) => success(record(task, task.error, tasks.filmUrl(task)))),
    )
    app.post('/api/v1/common/download-url', async (c) => {
      const { url } = await c.req.json()
      const isOurs = String(url).includes('/films/')
      return isOurs
        ? c.json(success(url.replace('/expired-', '/')))
        : c.json({ code: 422, msg: 'not a file of ours', data: null })
    })
    app.get('/api/v1/chat/credit', (c) => c.json(success(1234.5)))
    app.post('/api/file-stream-upload', async (c) => {
      const { file, uploadPath } = await c.req.parseBody()
      const downloadUrl = await uploads.add(file)
      if (downloadUrl === null || !uploadPath)
        return c.json({ success: false, code: 400, msg: 'uploadPath is missing' })
      return c.json({ success: true, code: 200, msg: 'File uploaded successfully', data: { downloadUrl } })
    })
  },
  callback: (task, error, url) =>
    error === null
      ? { ...success(record(task, null, url)), msg: 'Playground task completed successfully.' }
      : { code: 501, msg: 'Playground task failed.', data: record(task, error, url) },
  ...(providerB.sign ? { sign: providerB.sign } : {}),
}

function record(task: Task, error: string | null, url: string) {
  const { id: taskId, request, endedAt, createdAt } = task
  const missing = missingFilm(request.prompt)
  const resultUrls = missing === null ? [url] : []
  const state = endedAt === null ? runningState(task) : error === null ? 'success' : 'fail'
  return {
    taskId,
    model: request.model,
    state,
    successFlag: { success: 1, fail: 3 }[state] ?? 0,
    param: JSON.stringify({ model: request.model, input: JSON.stringify({ prompt: request.prompt }) }),
    resultJson: state === 'success' ? JSON.stringify({ resultUrls }) : '',
    response: state === 'success' ? { resultUrls } : null,
    failCode: state === 'fail' ? '500' : null,
    failMsg: state === 'fail' ? error : state === 'success' ? missing || null : null,
    creditsConsumed: state === 'fail' ? 0 : CREDITS_PER_SECOND * request.durationS,
    costTime: endedAt === null ? null : Math.round((endedAt - createdAt) / 1000),
    createTime: createdAt,
    updateTime: endedAt ?? Date.now(),
    completeTime: endedAt,
  }
}

function runningState(task: Task): string {
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'simmering'
  return stateOf(task) === 'waiting' ? 'queuing' : 'generating'
}

const success = (data: unknown) => ({ code: 200, msg: 'success', data })
