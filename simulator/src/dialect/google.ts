/** The Gemini API: Omni by Interactions, the former protocol of Veo, and files that need the key. */
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Dialect, Task } from '../dialect.ts'
import { interactionRoutes, operationOf, predictionWanted, refuseAsGoogle } from '../google-protocol.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KID = 'simulator'
const SIGNATURE_AGE_S = 300

export const dialect: Dialect = {
  keyOf: (c) => c.req.header('x-goog-api-key') ?? c.req.query('key'),
  refuse: refuseAsGoogle,
  routes: (app, tasks, open) => {
    const fileOf = ({ id }: Task) => `${tasks.address()}/v1beta/files/${id}:download?alt=media`
    open.get('/.well-known/jwks.json', (c) =>
      c.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KID, alg: 'RS256', use: 'sig' }] }),
    )
    app.get('/v1beta/models', (c) => c.json({ models: tasks.models().map(({ name }) => ({ name: `models/${name}` })) }))
    app.get('/v1beta/files/:name', (c) =>
      tasks.poll(c, c.req.param('name').replace(/:download$/, ''), (task) => c.redirect(tasks.filmUrl(task))),
    )
    interactionRoutes(app, tasks, '/:version{v1|v1beta}', fileOf)
    app.post('/v1beta/models/:call', async (c) => {
      const model = c.req.param('call').replace(/:predictLongRunning$/, '')
      return tasks.submit(c, predictionWanted(model, await c.req.json()), ({ id }) => ({
        name: `models/${model}/operations/${id}`,
      }))
    })
    app.get('/v1beta/models/:model/operations/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) =>
        operationOf(task, `models/${task.request.model}/operations/${task.id}`, (hasFilm, withheld) => ({
          generateVideoResponse: { generatedSamples: hasFilm ? [{ video: { uri: fileOf(task) } }] : [], ...withheld },
        })),
      ),
    )
  },
  callback: ({ id, isCancelled }, error) => ({
    type: `interaction.${isCancelled ? 'cancelled' : error === null ? 'completed' : 'failed'}`,
    version: 'v1',
    timestamp: new Date().toISOString(),
    data: { id, ...(error === null ? {} : { error_code: 'internal', error_message: error }) },
  }),
  sign: (_body, { id }) => {
    const nowS = Math.floor(Date.now() / 1000)
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: 'https://generativelanguage.googleapis.com', iat: nowS, exp: nowS + SIGNATURE_AGE_S }
    const token = `${encoded({ alg: 'RS256', typ: 'JWT', kid: KID })}.${encoded(claims)}`
    const signature = sign('RSA-SHA256', Buffer.from(token), privateKey).toString('base64url')
    return {
      'webhook-id': `event-${id}`,
      'webhook-timestamp': String(nowS),
      'webhook-signature': `${token}.${signature}`,
    }
  },
}
