/** Shots of a project in and out: as JSON, as a text that is split, and as CSV. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { exampleRequest } from '../film/fields.ts'
import { archiveProject } from '../project/archive.ts'
import { addShots, getProject } from '../project/project.ts'
import { type ShotDraft as Draft, SHOTS_MAX } from '../project/shots.ts'
import { readShotsCsv, shotsCsv } from '../project/shots-csv.ts'
import { splitText } from '../project/split-text.ts'
import { attachment, downloadNameOf } from '../storage/key.ts'
import { Bytes, sendZip } from './library.ts'
import { Id, PATH, Project, Settings, ShotDraft } from './project.ts'
import { ok } from './request/envelope.ts'
import { linkedTeam, userOf } from './request/request.ts'
import { either } from './request/request-body.ts'
import { routesOf, together } from './request/routes.ts'

const Drafts = Type.Object(
  { shots: Type.Array(ShotDraft, { minItems: 1, maxItems: SHOTS_MAX }) },
  { title: 'AddedShots', additionalProperties: false, examples: [{ shots: [{ settings: exampleRequest }] }] },
)
/** What the shots have beside what is read. */
const settings = Type.Optional(Settings)
const FromText = Type.Object(
  {
    text: Type.String({
      description:
        'Blank lines and headings separate the shots: “INT. KITCHEN – DAY” stays in the prompts below it, “Shot 3:” and “1.” become notes',
    }),
    settings,
  },
  {
    title: 'ShotsFromText',
    additionalProperties: false,
    examples: [{ text: '1. A boat leaves.\n2. A storm comes up.' }],
  },
)
const FromCsv = Type.Object(
  {
    csv: Type.String({
      description: 'Its first row names the columns, as in GET /api/v1/project/{id}/shots.csv',
    }),
    settings,
  },
  {
    title: 'ShotsFromCsv',
    additionalProperties: false,
    examples: [{ csv: 'prompt,duration\r\nA boat leaves.,4\r\n' }],
  },
)

const route = routesOf({ tag: 'project', access: 'user' })

const addShotsRoute = route('POST', `${PATH}/:id/shots`, {
  operationId: 'addShots',
  summary: 'Add shots to a project',
  config: { scope: 'generate', impersonation: 'change' },
  description:
    'Each as it is stated, or read from a text or from CSV, with `settings` beside what is read; both may also be the body itself, as text/plain or text/csv. ' +
    `409: with them it would have more than ${SHOTS_MAX} shots.`,
  params: Id,
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({ format: 'uuid', description: 'The id of the shot that they follow; at the end when left out' }),
    ),
  }),
  body: either(Drafts, { text: FromText, csv: FromCsv }),
  errors: ['CONFLICT'],
  data: Project,
  handler: async (app, request) => {
    const { body, query, params } = request
    const shots = 'shots' in body ? body.shots : readDrafts(request, body)
    return ok(await addShots(app, userOf(request), params.id, { shots, ...query }, request.onceKey))
  },
  replay: async (app, request, id) => ok(await getProject(app, userOf(request), id)),
})

/** What was read has the schema of what is stated. @throws the error of a body that has it not */
function readDrafts(
  request: Pick<FastifyRequest, 'compileValidationSchema'>,
  body: { text: string; settings?: Draft['settings'] } | { csv: string; settings?: Draft['settings'] },
): Draft[] {
  const read = 'text' in body ? splitText(body.text) : readShotsCsv(body.csv)
  const shots = read.map((shot) => ({ ...shot, settings: { ...body.settings, ...shot.settings } }))
  const validate = request.compileValidationSchema(Drafts, 'body')
  if (validate({ shots })) return shots
  throw Object.assign(new Error('the shots that were read'), { validation: validate.errors, validationContext: 'body' })
}

const downloadRoute = route('GET', `${PATH}/:id/shots.csv`, {
  operationId: 'downloadShots',
  summary: 'The shots of a project as CSV',
  config: { scope: 'read', isDownload: true, impersonation: 'none' },
  description: 'A row each, with a column for each of its settings; POST /api/v1/project/{id}/shots reads it.',
  params: Id,
  querystring: Type.Object(linkedTeam),
  response: {
    200: {
      description: 'CSV',
      content: {
        'text/csv': { schema: Type.String({ examples: [shotsCsv([{ settings: exampleRequest, notes: '' }])] }) },
      },
    },
  },
  handler: async (app, request, reply) => {
    const { shots, name } = await getProject(app, userOf(request), request.params.id)
    reply.type('text/csv; charset=utf-8')
    reply.header('content-disposition', attachment(downloadNameOf('shots.csv', name)))
    return shotsCsv(shots)
  },
})

const archiveRoute = route('GET', `${PATH}/:id/archive`, {
  operationId: 'archiveProject',
  summary: 'Download the chosen takes with their cuts',
  config: { scope: 'read', isDownload: true, impersonation: 'none' },
  description:
    'A ZIP, streamed: the films in the order of their shots, the sound of the project, and cut.edl, an edit decision list (CMX 3600) ' +
    'of 24 frames a second. Shots without a film are left out. 409: none has one.',
  params: Id,
  querystring: Type.Object(linkedTeam),
  errors: ['CONFLICT'],
  response: { 200: { description: 'A ZIP file', content: { 'application/zip': { schema: Bytes } } } },
  handler: async (app, request, reply) => {
    const zip = await archiveProject(app, userOf(request), request.params.id)
    return sendZip(request, reply, zip, `project-${app.now().toISOString().slice(0, 10)}.zip`)
  },
})

export function registerProjectShots(server: FastifyInstance, app: App): void {
  server.register(async (scope) => {
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, text, done) => done(null, { text }))
    scope.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, csv, done) => done(null, { csv }))
    together(addShotsRoute, downloadRoute, archiveRoute)(scope, app)
  })
}
