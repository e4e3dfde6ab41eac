/**
 * `/api/v1/admin/incidents`: administrators tell all users something, and pause new work for maintenance.
 * `/api/v1/config/notices`: what the pages show of it. Public.
 */
import { Type } from 'typebox'
import { bannersAt, listIncidents, setIncident } from '../../admin/incidents.ts'
import { AppError } from '../../errors.ts'
import { isUuid } from '../../id.ts'
import { NOT_BLANK, ok, Reason, Timestamp } from '../request/envelope.ts'
import { listQuery, uncountedPage } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

const id = '01939b1e-aaaa-7aaa-8bbb-000000000001'
const texts = {
  textEn: Type.String({ maxLength: 500, pattern: NOT_BLANK, description: 'In English, and in the errors of the API' }),
  textZh: Type.String({ maxLength: 500, pattern: NOT_BLANK, description: 'In Chinese' }),
}
const pauses = Type.Boolean({
  description: 'Whether new films and uploads are refused from startsAt to endsAt, with 503 and Retry-After',
})
const incident = {
  ...texts,
  isBanner: Type.Boolean({ description: 'Whether the pages show it; of maintenance from now on' }),
  isMail: Type.Boolean({ description: 'Whether it is mailed to all users who want such mails, once' }),
  pauses,
}
const example = {
  textEn: 'We move to larger machines.',
  textZh: '我们正在迁移到更大的服务器。',
  ...{ isBanner: true, isMail: false, pauses: true },
  ...{ startsAt: '2026-01-20T02:00:00.000Z', endsAt: '2026-01-20T03:00:00.000Z' },
}
const Incident = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...incident,
    startsAt: Timestamp('From when on it counts'),
    endsAt: Timestamp('Until when'),
    isMailed: Type.Boolean({ description: 'Whether the mail to every user is written' }),
    actorId: Type.String({ format: 'uuid', description: 'The administrator who wrote or changed it last' }),
    changedAt: Timestamp('When'),
  },
  {
    title: 'Incident',
    examples: [
      {
        ...{ id, ...example, isMailed: false },
        ...{ actorId: '01939b1e-1111-7aaa-8bbb-000000000002', changedAt: '2026-01-15T09:30:00.000Z' },
      },
    ],
  },
)
const Moment = (description: string) => Type.String({ format: 'date-time', description })
const Body = Type.Object(
  { ...incident, startsAt: Moment('From when on it counts'), endsAt: Moment('Until when'), reason: Reason() },
  { additionalProperties: false, examples: [{ ...example, reason: 'Migration 12' }] },
)
const ServiceNotice = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...texts,
    pauses,
    startsAt: Timestamp('From when on it counts'),
    endsAt: Timestamp('Until when'),
  },
  {
    title: 'ServiceNotice',
    examples: [
      {
        ...{ id, textEn: example.textEn, textZh: example.textZh, pauses: true },
        ...{ startsAt: example.startsAt, endsAt: example.endsAt },
      },
    ],
  },
)

const route = routesOf({ tag: 'desk', access: 'admin' })

const listRoute = route('GET', '/api/v1/admin/incidents', {
  operationId: 'listIncidents',
  summary: 'What was told to all users, and maintenance, newest first',
  querystring: listQuery({}),
  data: Type.Object({ incidents: Type.Array(Incident), ...uncountedPage }),
  handler: async (app, { query }) => ok(await listIncidents(app, query)),
})

const setRoute = route('PUT', '/api/v1/admin/incidents/:id', {
  operationId: 'setIncident',
  summary: 'Tell all users something, or change it',
  description:
    'The caller chooses the id, a UUID, so that a repetition changes nothing. An earlier endsAt ends it. With `pauses` films in progress go on; new ones and uploads are refused.',
  params: Type.Object({ id: Type.String() }),
  body: Body,
  data: Type.Object({ id: Type.String() }),
  example: { id },
  handler: async (app, request) => {
    const { reason, startsAt, endsAt, textEn, textZh, ...kinds } = request.body
    const [from, until] = [new Date(startsAt), new Date(endsAt)]
    const id = request.params.id.toLowerCase()
    if (!isUuid(id)) throw invalid('id', 'The id must be a UUID, such as one of version 7.')
    if (until < from) throw invalid('endsAt', 'The end must not come before the start.')
    await setIncident(
      app,
      { id, ...kinds, textEn: textEn.trim(), textZh: textZh.trim(), startsAt: from, endsAt: until },
      { actorId: userOf(request).userId, requestId: request.id, reason: reason.trim() },
    )
    return ok({ id })
  },
})

const invalid = (path: string, message: string) =>
  new AppError('INVALID_REQUEST', message, { details: [{ path, message }] })

const noticesRoute = routesOf({ tag: 'config' })('GET', '/api/v1/config/notices', {
  operationId: 'listServiceNotices',
  summary: 'What the operator tells all users now',
  data: Type.Object({ notices: Type.Array(ServiceNotice) }),
  handler: async (app) =>
    ok({
      notices: bannersAt(app.now()).map(({ isBanner: _shown, isMail: _mailed, ...notice }) => notice),
    }),
})

export const registerIncidents = together(listRoute, setRoute, noticesRoute)
