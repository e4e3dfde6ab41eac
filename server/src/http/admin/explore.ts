/** `/api/v1/admin/explore`: administrators read the reports of published films, remove a film or close reports. */
import { Type } from 'typebox'
import { decideOnFilm, listReported } from '../../admin/explore.ts'
import { REPORT_REASONS, requireExplore } from '../../video/explore.ts'
import { fileLink } from '../../video/library.ts'
import { ok, Reason, TextOrNull, Timestamp } from '../request/envelope.ts'
import { listQuery, uncountedPage } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'
import { owner, ownerExample } from './users.ts'

const id = '01939b1e-8888-7aaa-8bbb-000000000001'
const uuid = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const userId = '01939b1e-1111-7aaa-8bbb-000000000001'
const file = `https://kinora.example/files/video/${userId}/${uuid}`
const Reported = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Of the publication' }),
    uuid: Type.String({ format: 'uuid' }),
    userId: Type.String({ format: 'uuid' }),
    ...owner,
    prompt: Type.String(),
    model: Type.String(),
    aspectRatio: Type.String(),
    isPublished: Type.Boolean({ description: 'false: its maker has taken it back' }),
    videoUrl: Type.String({ description: 'Signed link to the film' }),
    thumbnailUrl: Type.String({ description: 'Signed link to a JPEG' }),
    openReports: Type.Integer({ description: 'Reports since the last decision' }),
    reports: Type.Array(
      Type.Object({
        userId: Type.String({ description: 'Who reports it' }),
        reason: Type.Enum([...REPORT_REASONS]),
        note: TextOrNull('What the user says; null: nothing, or the account was deleted'),
        createdAt: Timestamp('When it was reported'),
      }),
      { description: 'The latest of them, at most 20' },
    ),
  },
  {
    title: 'ReportedFilm',
    examples: [
      {
        ...{ id, uuid, userId, ...ownerExample, prompt: 'A paper boat in a rain gutter, dawn' },
        ...{ model: 'delta-1-5', aspectRatio: '16:9', isPublished: true },
        ...{ videoUrl: `${file}.mp4?exp=1768555800&sig=…`, thumbnailUrl: `${file}.jpg?exp=1768555800&sig=…` },
        openReports: 1,
        reports: [
          {
            userId: '01939b1e-1111-7aaa-8bbb-000000000002',
            reason: 'violence',
            note: null,
            createdAt: '2026-01-15T09:30:00.000Z',
          },
        ],
      },
    ],
  },
)
const route = routesOf({ tag: 'desk', access: 'admin' })

const listRoute = route('GET', '/api/v1/admin/explore/reports', {
  operationId: 'listReportedFilms',
  summary: 'Reported films, the longest waiting first',
  querystring: listQuery({}),
  data: Type.Object({ films: Type.Array(Reported), ...uncountedPage }),
  handler: async (app, { query }) => {
    requireExplore(app)
    const { films, ...page } = await listReported(app, query)
    const shown = films.map(({ videoId, videoKey, thumbnailKey, ...film }) => ({
      ...film,
      uuid: videoId,
      videoUrl: fileLink(app, videoKey) ?? '',
      thumbnailUrl: fileLink(app, thumbnailKey) ?? '',
    }))
    return ok({ films: shown, ...page })
  },
})

const decideRoute = route('POST', '/api/v1/admin/explore/:id/decide', {
  operationId: 'decideOnPublishedFilm',
  summary: 'Remove a published film, or leave it and close its reports',
  description:
    'A removed film is never published again, and its maker gets the reason by mail. Repeating the call changes nothing. ' +
    '404: no film was published with this id.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object(
    {
      removes: Type.Boolean({ description: 'false: the film stays' }),
      reason: Reason('For the audit log; of a removal for its maker too'),
    },
    { additionalProperties: false, examples: [{ removes: true, reason: 'It shows a real person.' }] },
  ),
  data: Type.Object({ id: Type.String() }),
  example: { id },
  handler: async (app, request) => {
    requireExplore(app)
    const { removes, reason } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id }
    await decideOnFilm(app, request.params.id, { removes, reason: reason.trim(), ...by })
    return ok({ id: request.params.id })
  },
})

export const registerAdminExplore = together(listRoute, decideRoute)
