/**
 * The wire format of provider-b: HTTP 200 with a code in the body, results as JSON inside a string, and one model
 * family that responds in another shape. Only `[vague]` is a real HTTP error, as from a proxy.
 */
import { createHmac } from 'node:crypto'
import { type Dialect, stateOf, type Task } from '../dialect.ts'
import { inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { fields } from './provider-a.ts'

/** This family responds with `data.info`: a list in callbacks, a single string when polled. */
const ODD_MODEL = 'delta-1-5'

export const dialect: Dialect = {
  routes: (app, tasks) => {
    app.post('/api/v1/jobs/createTask', async (c) => {
      const { model, input, callBackUrl: callbackUrl } = await c.req.json()
      const { aspect_ratio, ...film } = input ?? {}
      const wanted = { ...film, model, aspectRatio: aspect_ratio, inputs: inputsIn(film, fields), callbackUrl }
      return tasks.submit(c, wanted, ({ id }) => success({ taskId: id }))
    })
    app.get('/api/v1/jobs/recordInfo', (c) =>
      tasks.poll(c, c.req.query('taskId'), (task) => {
        const url = tasks.filmUrl(task)
        return task.endedAt === null ? success(record(task)) : outcome(task, task.error, url, url)
      }),
    )
  },
  // 455: under maintenance.
  refuse: (c, status, msg) =>
    c.json({ code: status === 503 ? 455 : status, msg, data: null }, status === 500 ? status : 200),
  callback: (task, error, url) => outcome(task, error, url, [url]),
  /** Base64 HMAC-SHA256 of `taskId.timestamp`, the timestamp in seconds. */
  sign: (_body, { id }, key) => {
    if (key === null) return {} as Record<string, string>
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hash = createHmac('sha256', key).update(`${id}.${timestamp}`).digest('base64')
    return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': hash }
  },
}

/** @param oddUrls what the odd model family has as `resultUrls` */
function outcome(task: Task, failure: string | null, url: string, oddUrls: string | string[]) {
  const { id: taskId } = task
  const missing = failure === null ? missingFilm(task.request.prompt) : null
  if (missing !== null) {
    return success({ ...record(task), state: 'success', resultJson: null, failMsg: missing || null })
  }
  if (task.request.model === ODD_MODEL) {
    return failure === null
      ? success({ taskId, info: { resultUrls: oddUrls } })
      : { code: 501, msg: failure, data: { taskId } }
  }
  return failure === null
    ? success({ ...record(task), state: 'success', resultJson: JSON.stringify({ resultUrls: [url] }) })
    : success({ ...record(task), state: 'fail', failCode: '500', failMsg: failure })
}

const record = (task: Task) => ({
  taskId: task.id,
  model: task.request.model,
  state: runningState(task),
  resultJson: '',
  failCode: null,
  failMsg: null,
  costTime: task.endedAt === null ? null : Math.round((task.endedAt - task.createdAt) / 1000),
  completeTime: task.endedAt,
  createTime: task.createdAt,
})

function runningState(task: Task): string {
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'simmering'
  if (stateOf(task) === 'generating') return 'generating'
  return Date.now() - task.createdAt < (task.startsAt - task.createdAt) / 2 ? 'waiting' : 'queuing'
}

const success = (data: unknown) => ({ code: 200, msg: 'success', data })
