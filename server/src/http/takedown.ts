/**
 * Takedowns, for makers. `/api/v1/video/{uuid}/takedown`: why a film was taken down. `/api/v1/takedown/{token}`: the
 * same by the link of the mail, and the objection; the token is the only credential, because the account may be locked.
 */
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { objectionUrl } from '../mail/objection.ts'
import {
  GROUNDS,
  object,
  objectsUntil,
  readStatement,
  SOURCES,
  STATES,
  type Statement,
  statementOf,
} from '../video/takedown.ts'
import { NOT_BLANK, ok, TextOrNull, Timestamp, TimestampOrNull } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { Uuid } from './video.ts'

export const statementExample = {
  id: '01939b1e-9999-7aaa-8bbb-000000000001',
  uuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
  state: 'hidden' as const,
  ground: 'terms' as const,
  rule: 'Terms, section 4: real persons',
  source: 'notice' as const,
  isAutomated: false,
  reason: 'It shows a real person who has not agreed.',
  decidedAt: '2026-01-15T09:30:00.000Z',
  objection: null,
  objectedAt: null,
  answer: null,
  answeredAt: null,
}
export const statement = {
  id: Type.String({ format: 'uuid' }),
  uuid: Type.String({ format: 'uuid', description: 'Of the film' }),
  state: Type.Enum([...STATES], {
    description:
      'hidden: no user sees it, and its files are kept for an objection; removed: its files are deleted; lifted: it was wrong',
  }),
  ground: Type.Enum([...GROUNDS], { description: 'law: it is illegal; terms: it is against the terms of the service' }),
  rule: Type.String({ description: 'Which law, or which part of the terms' }),
  source: Type.Enum([...SOURCES], {
    description: 'notice: a user or an authority told the operator; own: the operator found it',
  }),
  isAutomated: Type.Boolean({ description: 'Whether a program found it; an administrator decides' }),
  reason: Type.String({ description: 'The facts' }),
  decidedAt: Timestamp('When it was decided'),
  objection: TextOrNull('What the maker says against it'),
  objectedAt: TimestampOrNull('When'),
  answer: TextOrNull('What an administrator says to that, or why it was lifted'),
  answeredAt: TimestampOrNull('When'),
}
const Reasons = Type.Object(
  { ...statement, objectsUntil: TimestampOrNull('Until when the maker may object; null: has, or need not') },
  { title: 'StatementOfReasons', examples: [{ ...statementExample, objectsUntil: '2026-07-17T09:30:00.000Z' }] },
)
const Token = Type.Object({ token: Type.String({ description: 'The part of the link behind #token=' }) })

export const withUuid = <S extends { videoId: string }>({ videoId, ...rest }: S) => ({ uuid: videoId, ...rest })
const shown = (of: Statement) => ({ ...withUuid(of), objectsUntil: objectsUntil(of) })
const privateHeaders = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }

const getTakedownRoute = routesOf({ tag: 'video', access: 'user' })('GET', '/api/v1/video/:uuid/takedown', {
  operationId: 'getTakedown',
  summary: 'Why a film was taken down',
  config: { scope: 'read' },
  description: 'The latest decision of an administrator on it, and the page where you may object.',
  params: Uuid,
  data: Type.Object({
    takedown: Type.Union([Reasons, Type.Null()], { description: 'null: it was never taken down' }),
    objectionUrl: TextOrNull('The page of the objection, which needs no sign-in'),
  }),
  example: {
    takedown: { ...statementExample, objectsUntil: '2026-07-17T09:30:00.000Z' },
    objectionUrl: `https://kinora.example/objection#token=${statementExample.id}.${'q7Zk'.repeat(10)}q7Z`,
  },
  handler: async (app, request) => {
    const found = await statementOf(app, userOf(request), request.params.uuid)
    return ok({ takedown: found && shown(found), objectionUrl: found && objectionUrl(app.config, found.id) })
  },
})

const route = routesOf<App>({ tag: 'video' })
const URL = '/api/v1/takedown/:token'

const readRoute = route('GET', URL, {
  operationId: 'getStatementOfReasons',
  summary: 'Why a film was taken down, by the link of the mail',
  description: 'Needs no credential: the token is one. 404: it is not of this service.',
  params: Token,
  errors: ['NOT_FOUND'],
  data: Reasons,
  handler: async (app, { params }, reply) => {
    reply.headers(privateHeaders)
    return ok(shown(await readStatement(app, params.token)))
  },
})

const objectRoute = route('PUT', URL, {
  operationId: 'objectToTakedown',
  summary: 'Object to the takedown of a film',
  description:
    'An administrator reads it and answers by mail. Needs no credential: the token is one. A second objection changes nothing. 409: too late.',
  params: Token,
  body: Type.Object(
    { objection: Type.String({ maxLength: 4000, pattern: NOT_BLANK, description: 'Why the decision is wrong' }) },
    { additionalProperties: false, examples: [{ objection: 'The person is me.' }] },
  ),
  errors: ['NOT_FOUND', 'CONFLICT'],
  data: Reasons,
  handler: async (app, { params, body }, reply) => {
    reply.headers(privateHeaders)
    return ok(shown(await object(app, params.token, body.objection.trim())))
  },
})

export const registerTakedown = together(getTakedownRoute, readRoute, objectRoute)
