/** `/api/v1/admin/takedowns`: administrators find a film by its link, take it down, and answer objections. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import {
  answer,
  type FoundFilm,
  findFilm,
  listTakedowns,
  type Takedown as Row,
  readPrompt,
  reviewKeys,
  takeDown,
  takedownFilters,
  takedownsCsv,
  takedownsHead,
} from '../../admin/takedowns.ts'
import type { App } from '../../app.ts'
import { fileLink } from '../../video/library.ts'
import { GROUNDS, SOURCES } from '../../video/takedown.ts'
import { NOT_BLANK, ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { listQuery, uncountedPage } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'
import { statement, statementExample, withUuid } from '../takedown.ts'
import { Uuid } from '../video.ts'
import { owner, ownerExample } from './users.ts'

const { uuid } = statementExample
const userId = '01939b1e-1111-7aaa-8bbb-000000000001'
const file = `https://kinora.example/files/review/video/${userId}/${uuid}`
const takedownExample = {
  ...statementExample,
  ...{ userId, ...ownerExample, cutIds: [], actorId: '01939b1e-1111-7aaa-8bbb-000000000002' },
}
const Takedown = Type.Object(
  {
    ...statement,
    userId: Type.String({ format: 'uuid' }),
    ...owner,
    cutIds: Type.Array(Type.String({ format: 'uuid' }), { description: 'The cuts that contain it, in its state too' }),
    actorId: Type.String({ format: 'uuid', description: 'The administrator who decided' }),
  },
  { title: 'Takedown', examples: [takedownExample] },
)
const Found = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    userId: Type.String({ format: 'uuid' }),
    ...owner,
    model: Type.String(),
    aspectRatio: Type.String(),
    createdAt: Timestamp('When it was requested'),
    deletedAt: TimestampOrNull('When its user deleted it'),
    videoUrl: TextOrNull('Signed link for administrators, also while it is hidden; null: its files are gone'),
    thumbnailUrl: TextOrNull('The same of its poster, a JPEG'),
    isShared: Type.Boolean({ description: 'Whether it has a public link' }),
    isPublished: Type.Boolean({ description: 'Whether it is on Explore' }),
    isSample: Type.Boolean({ description: 'Whether it is the sample of a model' }),
    isOwnerLocked: Type.Boolean({
      description: 'Whether the account or team is locked, so that its links do not work',
    }),
    others: Type.Array(
      Type.Object({
        uuid: Type.String({ format: 'uuid' }),
        isCut: Type.Boolean({ description: 'true: it contains the film and shares its state' }),
      }),
      { description: 'Films that were made from it, the latest 50' },
    ),
    takedown: Type.Union([Takedown, Type.Null()], { description: 'The latest decision; null: none' }),
  },
  {
    title: 'FilmToTakeDown',
    examples: [
      {
        ...{ uuid, userId, ...ownerExample, model: 'delta-1-5', aspectRatio: '16:9' },
        ...{ createdAt: '2026-01-15T09:30:00.000Z', deletedAt: null },
        ...{ videoUrl: `${file}.mp4?exp=1768555800&sig=…`, thumbnailUrl: `${file}.jpg?exp=1768555800&sig=…` },
        ...{ isShared: true, isPublished: false, isSample: false, isOwnerLocked: false, others: [], takedown: null },
      },
    ],
  },
)

const route = routesOf({ tag: 'desk', access: 'admin' })
const byOf = (request: Parameters<typeof userOf>[0] & { id: string }) => ({
  actorId: userOf(request).userId,
  requestId: request.id,
})
const shown = (row: Row) => withUuid(row)

function shownFilm(app: App, { takedown, ...film }: FoundFilm) {
  const { videoKey, thumbnailKey } = reviewKeys(film)
  const { videoKey: _film, thumbnailKey: _poster, ...rest } = film
  const links = { videoUrl: fileLink(app, videoKey), thumbnailUrl: fileLink(app, thumbnailKey) }
  return { ...rest, ...links, takedown: takedown && shown(takedown) }
}

const findRoute = route('GET', '/api/v1/admin/takedowns/film', {
  operationId: 'findFilm',
  summary: 'The film that a link leads to',
  description:
    'A link of a share, of Explore, of a sample, of a file or of the studio, or the uuid; also one that does not work any more, and of a locked account. The prompt is not shown.',
  querystring: Type.Object({
    link: Type.String({ minLength: 1, maxLength: 2000, description: 'The link, or the uuid', examples: [uuid] }),
  }),
  errors: ['NOT_FOUND'],
  data: Found,
  handler: async (app, { query }) => ok(shownFilm(app, await findFilm(app, query.link))),
})

const promptRoute = route('PUT', '/api/v1/admin/videos/:uuid/prompt', {
  operationId: 'readPrompt',
  summary: 'Read the prompt of a film, which the audit log keeps',
  params: Uuid,
  body: Type.Object({ reason: Reason() }, { additionalProperties: false, examples: [{ reason: 'Notice 4711' }] }),
  data: Type.Object({ prompt: Type.String(), negativePrompt: TextOrNull('What it should not show') }),
  example: { prompt: 'A paper boat in a rain gutter, dawn', negativePrompt: null },
  handler: async (app, request) => {
    const reason = request.body.reason.trim()
    return ok(await readPrompt(app, request.params.uuid, { ...byOf(request), reason }))
  },
})

const takeDownRoute = route('PUT', '/api/v1/admin/videos/:uuid/takedown', {
  operationId: 'takeDownFilm',
  summary: 'Hide a film everywhere, or remove it',
  description:
    'No user sees it any more: its share, Explore, samples, library, links, ZIPs, and the cuts that contain it; its bytes are refused as an upload. ' +
    'The files of a hidden film are kept for 210 days, so that an objection can bring it back; those of a removed one are deleted within minutes. ' +
    'The maker gets the statement of reasons by mail, with a link to object. Repeating the call changes nothing; a hidden film can be removed.',
  params: Uuid,
  body: Type.Object(
    {
      removes: Type.Boolean({ description: 'false: its files are kept for an objection' }),
      ground: statement.ground,
      rule: Type.String({ maxLength: 500, pattern: NOT_BLANK, description: 'Which law, or which part of the terms' }),
      source: Type.Enum([...SOURCES], {
        description: 'notice: a user or an authority reported it; own: found by the operator',
      }),
      isAutomated: Type.Boolean({ default: false, description: 'Whether a program found it' }),
      reason: Reason('The facts, for the maker and the audit log'),
    },
    {
      additionalProperties: false,
      examples: [
        {
          ...{ removes: false, ground: GROUNDS[1], rule: statementExample.rule, source: SOURCES[0] },
          ...{ isAutomated: false, reason: statementExample.reason },
        },
      ],
    },
  ),
  errors: ['NOT_FOUND'],
  data: Takedown,
  handler: async (app, request) => {
    const { rule, reason, ...decision } = request.body
    const texts = { rule: rule.trim(), reason: reason.trim() }
    return ok(shown(await takeDown(app, request.params.uuid, { ...decision, ...texts, ...byOf(request) })))
  },
})

const answerRoute = route('PUT', '/api/v1/admin/takedowns/:id/answer', {
  operationId: 'answerTakedown',
  summary: 'Lift a takedown, or let it stand against an objection',
  description:
    'The maker gets the answer by mail. A lifted one shows the film again where its files are kept. Repeating the call changes nothing.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object(
    { lifts: Type.Boolean({ description: 'false: it stands' }), reason: Reason('For the maker and the audit log') },
    { additionalProperties: false, examples: [{ lifts: true, reason: 'The person has agreed.' }] },
  ),
  data: Takedown,
  handler: async (app, request) => {
    const { lifts, reason } = request.body
    return ok(shown(await answer(app, request.params.id, { lifts, reason: reason.trim(), ...byOf(request) })))
  },
})

const listRoute = route('GET', '/api/v1/admin/takedowns', {
  operationId: 'listTakedowns',
  summary: 'Takedowns with their statements of reasons, newest first',
  querystring: listQuery(takedownFilters),
  data: Type.Object({ takedowns: Type.Array(Takedown), ...uncountedPage }),
  handler: async (app, { query }) => {
    const { takedowns, ...page } = await listTakedowns(app, query)
    return ok({ takedowns: takedowns.map(shown), ...page })
  },
})

const downloadRoute = route('GET', '/api/v1/admin/takedowns.csv', {
  operationId: 'downloadTakedowns',
  summary: 'All statements of reasons as CSV, oldest first',
  description:
    'With the words of the EU’s database of statements (DSA, article 24) where it has them. They name no user.',
  response: {
    200: { description: 'CSV', content: { 'text/csv': { schema: Type.String({ examples: [takedownsHead()] }) } } },
  },
  handler: async (app, _request, reply) => {
    reply.type('text/csv; charset=utf-8')
    const name = `kinora-statements-${app.now().toISOString().slice(0, 10)}.csv`
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return Readable.from(takedownsCsv(app))
  },
})

export const registerAdminTakedowns = together(
  findRoute,
  promptRoute,
  takeDownRoute,
  answerRoute,
  listRoute,
  downloadRoute,
)
