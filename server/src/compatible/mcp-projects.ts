/** The tools of `/mcp` for projects: films of several shots, made by one request and rendered to one film. */
import { type Static, Type } from 'typebox'
import { isFinal } from '../film/fields.ts'
import { projectBodies, ShotDraft, Sum } from '../http/project.ts'
import { limitAlso } from '../http/request/rate-limits.ts'
import { generateShots, quoteProject } from '../project/generate.ts'
import {
  addShots,
  changeProject,
  deleteShot,
  getProject,
  listProjects,
  makeProject,
  type Project,
} from '../project/project.ts'
import { renderProject } from '../project/render.ts'
import { changeShot, SHOTS_MAX } from '../project/shots.ts'
import { POLL_AFTER_S } from './mcp-resources.ts'
import { inputs as ofFilms, PAGE_SIZE, Video } from './mcp-schemas.ts'
import { READS, result, type Tools, videoResult } from './mcp-tool.ts'

const project = Type.String({ description: 'The id of a project' })
const shot = Type.String({ description: 'The id of one of its shots' })
const { maxCredits, waitSeconds, idempotencyKey } = ofFilms.generate.properties

const inputs = {
  list: Type.Object({ cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })) }),
  get: Type.Object({ project, waitSeconds }),
  create: Type.Object(projectBodies.make),
  change: Type.Object({ project, ...projectBodies.change }),
  add: Type.Object({
    project,
    shots: Type.Array(ShotDraft, { minItems: 1, maxItems: SHOTS_MAX }),
    after: Type.Optional(
      Type.String({ format: 'uuid', description: 'The id of the shot that they follow; at the end when left out' }),
    ),
  }),
  changeShot: Type.Object({ project, shot, ...projectBodies.changeShot }),
  deleteShot: Type.Object({ project, shot, version: projectBodies.changeShot.version }),
  quote: Type.Object({ project, ...projectBodies.quote }),
  generate: Type.Object({ project, ...projectBodies.quote, maxCredits, waitSeconds, idempotencyKey }),
  render: Type.Object({ project, waitSeconds, idempotencyKey }),
}

const OrNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const Take = Type.Object({
  uuid: Type.String(),
  status: Type.String(),
  videoUrl: Type.Optional(Type.String({ description: 'Of the chosen take; get_video has that of another' })),
  error: Type.Optional(Type.String({ description: 'Why it failed' })),
})
const Shot = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  settings: Type.Object({}, { additionalProperties: true }),
  notes: Type.String(),
  takeId: OrNull(Type.String()),
  inMs: OrNull(Type.Integer()),
  outMs: OrNull(Type.Integer()),
  takes: Type.Array(Take, { description: 'The newest first' }),
})
const Shown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  aspectRatio: Type.String(),
  fit: Type.String(),
  version: Type.Integer(),
  cutId: OrNull(Type.String({ description: 'The newest film of render_project, for get_video' })),
  shots: Type.Array(Shot, { description: 'In their order' }),
  creditsUsed: Type.Optional(Type.Integer({ description: 'Of generate_project: frozen for the films of this call' })),
  pollAfterSeconds: Type.Optional(
    Type.Integer({ description: 'When to call get_project again: films are being made' }),
  ),
})
const Listed = Type.Object({
  projects: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), shots: Type.Integer() })),
  nextCursor: Type.Optional(Type.String({ description: 'There are more' })),
})

export function addProjects(tools: Tools): void {
  addReading(tools)
  addEditing(tools)
  addMaking(tools)
}

function addReading({ app, call, tool, wait }: Tools): void {
  tool(
    'list_projects',
    {
      title: 'Your projects',
      description: 'The projects of this account, newest first. A project is a film of several shots in their order.',
      input: inputs.list,
      output: Listed,
      annotations: READS,
    },
    async (query) => {
      const { projects, nextCursor } = await listProjects(app, call.caller, { pageSize: PAGE_SIZE, ...query })
      const shown = projects.map(({ id, name, shots }) => ({ id, name, shots }))
      return result({ projects: shown, ...(nextCursor !== null && { nextCursor }) })
    },
  )
  tool(
    'get_project',
    {
      title: 'A project with its shots',
      description:
        'Each shot with its settings, its takes (films, of which takeId is the chosen one) and its version, which a change must name. ' +
        'waitSeconds waits for the takes that are being made.',
      input: inputs.get,
      output: Shown,
      annotations: READS,
    },
    async ({ project: id, waitSeconds: waitS = 0 }, request) => {
      const [first, ...further] = unfinishedOf(await getProject(app, call.caller, id))
      if (first !== undefined && waitS > 0) await wait([first, ...further], waitS, request)
      return result(shown(await getProject(app, call.caller, id)))
    },
  )
  tool(
    'quote_project',
    {
      title: 'Price of the shots',
      description:
        'What generate_project would cost, each shot and together, and which shots it would refuse and why; and the same of render_project.',
      input: inputs.quote,
      output: Sum,
      annotations: READS,
    },
    async ({ project: id, ...wanted }) => result(await quoteProject(app, call.caller, id, wanted)),
  )
}

const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
const REPLACES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }

function addEditing({ app, call, tool }: Tools): void {
  const { caller } = call
  tool(
    'create_project',
    {
      title: 'Begin a project',
      description:
        'A film of several shots; costs nothing until they are generated. Give each shot in settings what generate_video takes: a model, a ' +
        'prompt that stands for itself, and so on.',
      input: inputs.create,
      output: Shown,
      annotations: ADDS,
    },
    async (made) => result(shown(await makeProject(app, caller, made))),
  )
  tool(
    'change_project',
    {
      title: 'Change a project',
      description: 'Its name, its format, its sound, or the order of its shots. What is left out stays.',
      input: inputs.change,
      output: Shown,
      annotations: REPLACES,
    },
    async ({ project: id, ...change }) => result(shown(await changeProject(app, caller, id, change))),
  )
  tool(
    'add_shots',
    {
      title: 'Add shots',
      description: 'Adds shots to a project, with settings as in create_project.',
      input: inputs.add,
      output: Shown,
      annotations: ADDS,
    },
    async ({ project: id, ...added }) => result(shown(await addShots(app, caller, id, added))),
  )
  tool(
    'change_shot',
    {
      title: 'Change a shot',
      description:
        'Its settings (all of them are replaced), its notes, the chosen take, or where that is cut. A take that is there stays: ' +
        'generate_project makes another one of a shot that it names.',
      input: inputs.changeShot,
      output: Shot,
      annotations: REPLACES,
    },
    async ({ project: projectId, shot: id, ...change }) =>
      result(shownShot(await changeShot(app, caller, { projectId, id }, change))),
  )
  tool(
    'delete_shot',
    {
      title: 'Delete a shot',
      description: 'Its takes stay, as films.',
      input: inputs.deleteShot,
      output: Shown,
      annotations: REPLACES,
    },
    async ({ project: projectId, shot: id, version }) =>
      result(shown(await deleteShot(app, caller, { projectId, id }, version))),
  )
}

function addMaking({ app, call, tool, wait }: Tools): void {
  tool(
    'generate_project',
    {
      title: 'Generate the shots',
      description:
        'Makes a film of each shot that has none, or of those named, all or none; costs credits, which quote_project tells before and which come ' +
        'back for a film that fails. Then call get_project with waitSeconds until no pollAfterSeconds is there.',
      input: inputs.generate,
      output: Shown,
      annotations: { ...ADDS, openWorldHint: true },
    },
    async ({ project: id, waitSeconds: waitS = 0, idempotencyKey: name, ...wanted }, request) => {
      const counted = limitAlso(app, call.request, call.reply, 'generate')
      if (counted) await counted
      const { creditsUsed, videos } = await generateShots(app, call.caller, id, wanted, keyOf(name))
      const [first, ...further] = videos.map(({ uuid }) => uuid)
      if (first !== undefined && waitS > 0) await wait([first, ...further], waitS, request)
      return result({ ...shown(await getProject(app, call.caller, id)), creditsUsed })
    },
  )
  tool(
    'render_project',
    {
      title: 'Render a project to one film',
      description:
        'Joins the chosen takes in their order, as they are cut, with the sound of the project. Every shot needs a finished take. Returns the ' +
        'uuid of the film; call get_video with it until the status is COMPLETED.',
      input: inputs.render,
      output: Video,
      annotations: ADDS,
    },
    async ({ project: id, waitSeconds: waitS = 0, idempotencyKey: name }, request) => {
      const counted = limitAlso(app, call.request, call.reply, 'generate')
      if (counted) await counted
      const { uuid } = await renderProject(app, call.caller, id, keyOf(name))
      return videoResult(app, await wait([uuid], waitS, request))
    },
  )
}

const keyOf = (name: string | undefined): string | null => (name === undefined ? null : `mcp:${name}`)

const unfinishedOf = ({ shots }: Project): string[] =>
  shots.flatMap(({ takes }) => takes.flatMap(({ uuid, status }) => (isFinal(status) ? [] : [uuid])))

function shown(read: Project): Static<typeof Shown> {
  const { id, name, aspectRatio, fit, version, cutId, shots } = read
  const isUnfinished = unfinishedOf(read).length > 0
  return {
    ...{ id, name, aspectRatio, fit, version, cutId },
    shots: shots.map(shownShot),
    ...(isUnfinished && { pollAfterSeconds: POLL_AFTER_S }),
  }
}

function shownShot({ id, version, settings, notes, takeId, inMs, outMs, takes }: Project['shots'][number]) {
  const films = takes.map(
    ({ uuid, status, videoUrl, failure }): Static<typeof Take> => ({
      ...{ uuid, status },
      // A project may have 600 takes, and a link is long.
      ...(videoUrl !== null && uuid === takeId && { videoUrl }),
      ...(failure !== null && { error: failure.message }),
    }),
  )
  return { ...{ id, version, settings, notes, takeId, inMs, outMs }, takes: films } satisfies Static<typeof Shot>
}
