/** `/api/v1/project`: the caller's projects and their shots. */
import { Type } from 'typebox'
import { exampleRequest, requestSchemas } from '../film/fields.ts'
import { GivenInputs } from '../film/inputs.ts'
import { PROMPT_CHARACTERS_MAX } from '../film/limits.ts'
import { generateShots, quoteProject } from '../project/generate.ts'
import {
  ASPECT_RATIOS,
  changeProject,
  deleteProject,
  deleteShot,
  FITS,
  getProject,
  listProjects,
  makeProject,
  PROJECTS_MAX,
} from '../project/project.ts'
import { renderProject } from '../project/render.ts'
import { changeShot, NOTES_CHARACTERS_MAX, SHOTS_MAX, TAKES_MAX } from '../project/shots.ts'
import { Makers } from './makers.ts'
import { Deleted, Name, ok, Timestamp } from './request/envelope.ts'
import { IdempotencyHeaders, idempotencyKeyOf, markReplay } from './request/idempotency.ts'
import { listQuery, uncountedPage } from './request/paging.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { generateErrors, ListItem, listItemExample, requestErrors } from './video.ts'

const NAME_CHARACTERS_MAX = 60
const FADE_S_MAX = 30

const OrNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const MadeBy = (description: string) => Type.String({ format: 'uuid', description: `${description}; see makers` })
const Milliseconds = (description: string) => OrNull(Type.Integer({ minimum: 0, maximum: 3_600_000 }), description)

const { prompt: _, inputs: __, model, ...decided } = requestSchemas
export const Settings = Type.Object(
  {
    ...Type.Partial(Type.Object(decided)).properties,
    model: Type.Optional(model),
    prompt: Type.Optional(Type.String({ maxLength: PROMPT_CHARACTERS_MAX })),
    inputs: Type.Optional(GivenInputs),
  },
  {
    ...{ title: 'ShotSettings', additionalProperties: false, examples: [exampleRequest] },
    description: 'The fields of a generate request, as far as they are decided: they are checked when it is generated',
  },
)
const Version = (of: string) => Type.Integer({ description: `Of the ${of}, as it was read: another one is 409` })
const Notes = Type.String({ maxLength: NOTES_CHARACTERS_MAX, description: 'A line for those who work on it' })
const TakeId = OrNull(Type.String({ format: 'uuid' }), 'The chosen take, the uuid of a video; null: none')
const InMs = Milliseconds('Where the cut begins in the take; null: at its begin')
const OutMs = Milliseconds('Where the cut ends in the take; null: at its end')
const AspectRatio = Type.Enum([...ASPECT_RATIOS], { description: 'Of the whole film' })
const Fit = Type.Enum([...FITS], { description: 'How a take of another shape fills the frame: with bars, or cropped' })
const Sound = Type.Object(
  {
    asset: Type.String({ format: 'uuid', description: 'The id of a sound of yours' }),
    volume: Type.Number({ minimum: 0, maximum: 1 }),
    fadeInS: Type.Number({ minimum: 0, maximum: FADE_S_MAX }),
    fadeOutS: Type.Number({ minimum: 0, maximum: FADE_S_MAX }),
  },
  { title: 'ProjectSound', additionalProperties: false, description: 'Begins with the film, beside the takes’ own' },
)
const SoundOrNull = OrNull(Sound, 'null: the takes’ own sound alone')

const id = '01939b1e-3333-7aaa-8bbb-000000000001'
const shotId = '01939b1e-4444-7aaa-8bbb-000000000001'
const user = '01939b1e-1111-7aaa-8bbb-000000000001'
const time = '2026-01-15T09:30:00.000Z'
const take = listItemExample
const shotExample = {
  ...{
    id: shotId,
    settings: exampleRequest,
    notes: 'Wide; the boat comes closer',
    takeId: take.uuid,
    takeDeleted: false,
  },
  ...{ inMs: null, outMs: 3500, version: 3, changedBy: user, changedAt: time, takes: [take] },
}
const Shot = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    settings: Settings,
    notes: Notes,
    takeId: TakeId,
    takeDeleted: Type.Boolean({ description: 'Whether the chosen take was deleted since' }),
    inMs: InMs,
    outMs: OutMs,
    version: Type.Integer({ description: 'Counts its changes' }),
    changedBy: MadeBy('Who made this version'),
    changedAt: Timestamp('When'),
    takes: Type.Array(ListItem, { description: `The newest first, ${TAKES_MAX} at most, and the chosen one` }),
  },
  { title: 'Shot', examples: [shotExample] },
)
const projectExample = {
  ...{ id, name: 'The lighthouse', aspectRatio: '16:9' as const, fit: 'fit' as const, sound: null, version: 4 },
  ...{ madeBy: user, changedBy: user, createdAt: time, updatedAt: time, cutId: null },
}
const projectFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  aspectRatio: AspectRatio,
  fit: Fit,
  sound: SoundOrNull,
  version: Type.Integer({
    description: 'Counts the changes of these fields, and of which shots there are in which order',
  }),
  madeBy: MadeBy('Who made it'),
  changedBy: MadeBy('Who made this version'),
  createdAt: Timestamp('When it was made'),
  updatedAt: Timestamp('When this version was made'),
  cutId: OrNull(Type.String({ format: 'uuid' }), 'Its newest cut, the uuid of a video; null: none, or deleted'),
}
const ListedProject = Type.Object(
  {
    ...projectFields,
    shots: Type.Integer({ description: 'How many it has' }),
    thumbnailUrl: OrNull(Type.String(), 'Signed link to a JPEG of its first finished take'),
  },
  { title: 'ListedProject', examples: [{ ...projectExample, shots: 6, thumbnailUrl: take.thumbnailUrl }] },
)
export const Project = Type.Object(
  { ...projectFields, shots: Type.Array(Shot, { description: 'In their order' }), makers: Makers },
  { title: 'Project', examples: [{ ...projectExample, shots: [shotExample], makers: [] }] },
)
export const ShotDraft = Type.Object(
  { settings: Settings, notes: Type.Optional(Notes) },
  { title: 'ShotDraft', additionalProperties: false },
)
const fields = {
  aspectRatio: Type.Optional(AspectRatio),
  fit: Type.Optional(Fit),
  sound: Type.Optional(SoundOrNull),
}
const ProjectName = Name(NAME_CHARACTERS_MAX)
/** The fields of the bodies, which the tools of `/mcp` take too. */
export const projectBodies = {
  make: {
    name: ProjectName,
    ...fields,
    shots: Type.Optional(Type.Array(ShotDraft, { maxItems: SHOTS_MAX })),
  },
  change: {
    version: Version('project'),
    name: Type.Optional(ProjectName),
    ...fields,
    shots: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: SHOTS_MAX,
        description: 'The ids of all its shots, in their new order',
      }),
    ),
  },
  changeShot: {
    version: Version('shot'),
    settings: Type.Optional(Settings),
    notes: Type.Optional(Notes),
    takeId: Type.Optional(TakeId),
    inMs: Type.Optional(InMs),
    outMs: Type.Optional(OutMs),
  },
  quote: {
    shots: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        ...{ minItems: 1, maxItems: SHOTS_MAX },
        description: 'Their ids; those without a take, or whose take is deleted or has failed, when left out',
      }),
    ),
  },
}
export const Id = Type.Object({ id: Type.String({ title: 'ProjectId', description: 'The id of the project' }) })
const ShotId = Type.Object({
  ...Id.properties,
  shotId: Type.String({ title: 'ShotId', description: 'The id of the shot' }),
})

export const PATH = '/api/v1/project'
const route = routesOf({ tag: 'project', access: 'user' })

const listRoute = route('GET', PATH, {
  operationId: 'listProjects',
  summary: 'Your projects, newest first',
  config: { scope: 'read' },
  querystring: listQuery({}),
  data: Type.Object({ projects: Type.Array(ListedProject), ...uncountedPage }),
  handler: async (app, request) => ok(await listProjects(app, userOf(request), request.query)),
})

const makeRoute = route('POST', PATH, {
  operationId: 'makeProject',
  summary: 'Make a project',
  config: { scope: 'generate', impersonation: 'change' },
  description: `409: you have ${PROJECTS_MAX.toLocaleString('en')} projects, which is the most.`,
  body: Type.Object(projectBodies.make, {
    ...{ additionalProperties: false, examples: [{ name: 'The lighthouse', shots: [{ settings: exampleRequest }] }] },
  }),
  errors: ['CONFLICT'],
  data: Project,
  handler: async (app, request) => ok(await makeProject(app, userOf(request), request.body, request.onceKey)),
  replay: async (app, request, made) => ok(await getProject(app, userOf(request), made)),
})

const getRoute = route('GET', `${PATH}/:id`, {
  operationId: 'getProject',
  summary: 'One project with its shots and their takes',
  config: { scope: 'read' },
  params: Id,
  data: Project,
  handler: async (app, request) => ok(await getProject(app, userOf(request), request.params.id)),
})

const changeRoute = route('PATCH', `${PATH}/:id`, {
  operationId: 'changeProject',
  summary: 'Change a project, or the order of its shots',
  config: { scope: 'generate', impersonation: 'change' },
  description:
    'What is left out stays as it is. 409: it has another version; the details say which, and who made it when. Read it again and repeat the change.',
  params: Id,
  body: Type.Object(projectBodies.change, {
    ...{ additionalProperties: false, minProperties: 2, examples: [{ version: 4, name: 'The old lighthouse' }] },
  }),
  errors: ['CONFLICT'],
  data: Project,
  handler: async (app, request) => ok(await changeProject(app, userOf(request), request.params.id, request.body)),
})

const deleteRoute = route('DELETE', `${PATH}/:id`, {
  operationId: 'deleteProject',
  summary: 'Delete a project',
  config: { scope: 'generate' },
  description: 'Its takes stay, as films.',
  params: Id,
  data: Deleted,
  example: { id, deleted: true },
  handler: async (app, request) => {
    await deleteProject(app, userOf(request), request.params.id)
    return ok({ id: request.params.id.toLowerCase(), deleted: true as const })
  },
})

const changeShotRoute = route('PATCH', `${PATH}/:id/shots/:shotId`, {
  operationId: 'changeShot',
  summary: 'Change a shot, or choose its take',
  config: { scope: 'generate', impersonation: 'change' },
  description:
    'What is left out stays as it is; another take begins uncut. A film of yours that is a take of no shot becomes one of this shot ' +
    'when it is chosen. 409: the shot has another version; see changeProject.',
  params: ShotId,
  body: Type.Object(projectBodies.changeShot, {
    ...{ additionalProperties: false, minProperties: 2, examples: [{ version: 3, takeId: take.uuid, outMs: 3500 }] },
  }),
  errors: ['CONFLICT'],
  data: Shot,
  handler: async (app, request) => ok(await changeShot(app, userOf(request), placeOf(request.params), request.body)),
})

const deleteShotRoute = route('DELETE', `${PATH}/:id/shots/:shotId`, {
  operationId: 'deleteShot',
  summary: 'Delete a shot',
  config: { scope: 'generate' },
  description: 'Its takes stay, as films. 409: the shot has another version; see changeProject.',
  params: ShotId,
  querystring: Type.Object({ version: Type.Optional(Version('shot')) }),
  errors: ['CONFLICT'],
  data: Project,
  handler: async (app, request) =>
    ok(await deleteShot(app, userOf(request), placeOf(request.params), request.query.version ?? null)),
})

export const Sum = Type.Object(
  {
    credits: Type.Integer({ description: 'Of all shots that are not refused: what generating them freezes' }),
    ceiling: Type.Boolean({ description: 'Whether it is the most: of some the length is open' }),
    available: Type.Integer({
      description: 'Credits available now; with an API key, at most what is left of its budget',
    }),
    affordable: Type.Boolean({ description: 'Whether available covers the sum' }),
    shots: Type.Array(
      Type.Object({
        shot: Type.String({ format: 'uuid' }),
        credits: OrNull(Type.Integer(), 'null: it is refused'),
        ceiling: Type.Boolean(),
        estimatedSeconds: OrNull(Type.Integer(), 'How long such a film takes; null: it is refused'),
        refusal: OrNull(
          Type.Object({ code: Type.String(), message: Type.String() }, { title: 'ShotRefusal' }),
          'Why it cannot be generated',
        ),
      }),
    ),
    render: Type.Object(
      {
        seconds: OrNull(Type.Integer(), 'How long the cut would be; null: it is refused'),
        credits: OrNull(Type.Integer(), 'What rendering it would freeze; null: it is refused'),
        refusal: OrNull(
          Type.Object({ code: Type.String(), message: Type.String() }, { title: 'RenderRefusal' }),
          'Why it cannot be rendered yet',
        ),
      },
      { title: 'QuotedRender', description: 'Of the takes that are chosen now' },
    ),
  },
  {
    title: 'ProjectQuote',
    examples: [
      {
        ...{ credits: 16, ceiling: false, available: 60, affordable: true },
        shots: [{ shot: shotId, credits: 16, ceiling: false, estimatedSeconds: 41, refusal: null }],
        render: {
          ...{ seconds: null, credits: null },
          refusal: {
            code: 'CONFLICT',
            message: 'Shot 1 has no finished take; generate one, choose another, or delete the shot.',
          },
        },
      },
    ],
  },
)
const Made = Type.Object(
  {
    creditsUsed: Type.Integer({ description: 'Credits frozen for all' }),
    videos: Type.Array(
      Type.Object({
        uuid: Type.String(),
        shot: OrNull(Type.String(), 'null: it was deleted since'),
        model: Type.String(),
        creditsUsed: Type.Integer(),
        waiting: Type.Boolean({ description: 'Whether it waits for others of yours to end' }),
        createdAt: Timestamp('When'),
      }),
      { description: 'In the order of the shots' },
    ),
  },
  {
    title: 'GeneratedShots',
    examples: [
      {
        creditsUsed: 16,
        videos: [
          { uuid: take.uuid, shot: shotId, model: take.model, creditsUsed: 16, waiting: false, createdAt: time },
        ],
      },
    ],
  },
)

const quoteRoute = route('POST', `${PATH}/:id/quote`, {
  operationId: 'quoteProject',
  summary: 'The price of shots, each and together, and of the cut',
  config: { scope: 'read', impersonation: 'read' },
  description: 'Nothing is generated or frozen.',
  params: Id,
  body: Type.Object(projectBodies.quote, { additionalProperties: false, examples: [{}] }),
  data: Sum,
  handler: async (app, request) => ok(await quoteProject(app, userOf(request), request.params.id, request.body)),
})

const generateRoute = route('POST', `${PATH}/:id/generate`, {
  operationId: 'generateProject',
  summary: 'Generate shots, all or none',
  config: { scope: 'generate', limit: 'generate', impersonation: 'change' },
  description:
    'A film each, by one request: the credits of all are frozen, or of none. Those that find no place among your videos in progress ' +
    'wait, and begin in their order as places are free. A film becomes the chosen take of a shot that has none, or whose take failed. ' +
    '409: no shot lacks a take, the price is another one than `credits`, or a shot was generated or deleted meanwhile. A shot that is ' +
    'refused: its code, and in the details each such shot.',
  headers: IdempotencyHeaders,
  params: Id,
  body: Type.Object(
    { ...projectBodies.quote, credits: Type.Optional(Type.Integer({ description: 'The sum that you were quoted' })) },
    { additionalProperties: false, examples: [{ credits: 16 }] },
  ),
  errors: [...requestErrors, ...generateErrors],
  data: Made,
  handler: async (app, request, reply) => {
    const key = idempotencyKeyOf(request.headers)
    const { isNew, ...made } = await generateShots(app, userOf(request), request.params.id, request.body, key)
    markReplay(reply, !isNew)
    return ok(made)
  },
})

const placeOf = (params: { id: string; shotId: string }) => ({ projectId: params.id, id: params.shotId })

const renderRoute = route('POST', `${PATH}/:id/render`, {
  operationId: 'renderProject',
  summary: 'Render a project to one film',
  config: { scope: 'generate', impersonation: 'change', limit: 'generate' },
  description:
    'The chosen takes in their order, as they are trimmed. The cut is a video of its own: follow, read, share, cancel and delete it by its ' +
    'uuid; GET /api/v1/video/list has cuts with kind=cut alone. 409: a shot has no finished take.',
  params: Id,
  headers: IdempotencyHeaders,
  errors: [
    'CONFLICT',
    'INSUFFICIENT_CREDITS',
    'KEY_BUDGET_EXCEEDED',
    'TOO_MANY_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    'UNAVAILABLE',
  ],
  data: Type.Object(
    { uuid: Type.String({ description: 'Of the cut' }), creditsUsed: Type.Integer({ description: 'Frozen for it' }) },
    { title: 'RenderedProject', examples: [{ uuid: take.uuid, creditsUsed: 0 }] },
  ),
  handler: async (app, request, reply) => {
    const { isNew, ...cut } = await renderProject(
      app,
      userOf(request),
      request.params.id,
      idempotencyKeyOf(request.headers),
    )
    markReplay(reply, !isNew)
    return ok(cut)
  },
})

export const registerProject = together(
  renderRoute,
  listRoute,
  makeRoute,
  getRoute,
  changeRoute,
  deleteRoute,
  changeShotRoute,
  deleteShotRoute,
  quoteRoute,
  generateRoute,
)
