/** Vertex AI: Veo and Omni below a project, a service account's token, and the bucket of a request. */
import type { Dialect, Task } from '../dialect.ts'
import { interactionRoutes, operationOf, predictionWanted, refuseAsGoogle } from '../google-protocol.ts'
import { missingFilm } from '../sentinels.ts'

const PLACE = '/:version{v1|v1beta1}/projects/:project/locations/:location'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const dialect: Dialect = {
  refuse: (c, refusal, message) =>
    refusal === 401
      ? c.json({ error: { code: 401, message, status: 'UNAUTHENTICATED' } }, 401)
      : refuseAsGoogle(c, refusal, message),
  routes: (app, tasks, open) => {
    open.post('/token', async (c) => {
      const { grant_type, assertion } = await c.req.parseBody()
      const [, claims = ''] = String(assertion).split('.')
      const { iss, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8') || '{}')
      const isGranted = grant_type === JWT_BEARER && iss && scope === 'https://www.googleapis.com/auth/cloud-platform'
      return isGranted
        ? c.json({ access_token: `token-of-${iss}`, expires_in: 3600, token_type: 'Bearer' })
        : c.json({ error: 'invalid_grant', error_description: 'Invalid JWT.' }, 400)
    })
    app.get(`${PLACE}/models`, (c) => c.json({}))
    app.post(`${PLACE}/publishers/google/models/:call`, async (c) => {
      const { project, location, call } = c.req.param()
      const [model = '', method] = call.split(':')
      const body = await c.req.json()
      const name = (id: string) =>
        `projects/${project}/locations/${location}/publishers/google/models/${model}/operations/${id}`
      if (method === 'predictLongRunning') {
        return tasks.submit(c, predictionWanted(model, body), ({ id }) => ({ name: name(id) }))
      }
      const id = String(body.operationName).split('/').at(-1)
      return tasks.poll(c, id, (task) =>
        operationOf(task, name(task.id), async (hasFilm, withheld) => {
          const inline = async () => ({ bytesBase64Encoded: (await tasks.filmBytes(task)).toString('base64') })
          const video = task.extra.storageUri ? { gcsUri: objectOf(task) } : hasFilm && (await inline())
          return { videos: hasFilm ? [{ ...video, mimeType: 'video/mp4' }] : [], ...withheld }
        }),
      )
    })
    interactionRoutes(app, tasks, '/v1beta1/projects/:project/locations/global', objectOf)
    const objectsIn = (bucket: string) =>
      tasks.list().flatMap((task) => {
        const isStored = task.extra.storageUri && task.endedAt !== null && task.error === null
        const object = objectOf(task)
        return isStored && missingFilm(task.request.prompt) === null && object.startsWith(`gs://${bucket}/`)
          ? [{ name: object.slice(`gs://${bucket}/`.length), task }]
          : []
      })
    app.get('/storage/v1/b/:bucket/o', (c) => {
      const found = objectsIn(c.req.param('bucket')).filter(({ name }) => name.startsWith(c.req.query('prefix') ?? ''))
      return c.json({
        kind: 'storage#objects',
        ...(found.length ? { items: found.map(({ name }) => ({ name })) } : {}),
      })
    })
    app.get('/storage/v1/b/:bucket/o/:name', (c) => {
      const object = objectsIn(c.req.param('bucket')).find(({ name }) => name === c.req.param('name'))
      return object ? c.redirect(tasks.filmUrl(object.task)) : refuseAsGoogle(c, 404, 'No such object.')
    })
  },
}

const objectOf = ({ id, extra }: Task): string => `${extra.storageUri}${id}/sample_0.mp4`
