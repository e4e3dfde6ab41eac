/** `/api/v1/admin/moderation`: administrators read what moderation has decided, in numbers. */
import { Type } from 'typebox'
import { moderationDays } from '../../admin/moderation.ts'
import { ok } from '../request/envelope.ts'
import { routesOf } from '../request/routes.ts'

const Day = Type.Object({
  day: Type.String({ description: 'In UTC' }),
  allowed: Type.Integer(),
  refused: Type.Integer(),
  failed: Type.Integer({
    description: 'Requests without a verdict in time, or with an answer that is not as documented',
  }),
  categories: Type.Array(Type.Object({ category: Type.String(), requests: Type.Integer() }), {
    description: 'Of the refused requests, the most frequent first; a request may have several',
  }),
})
const Moderation = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether MODERATION_URL is set' }),
    fail: Type.Enum(['closed', 'open'], {
      description: 'What becomes of a request without a verdict: closed: 503; open: its film is made',
    }),
    days: Type.Array(Day, { description: 'The days with requests, the newest first' }),
  },
  {
    title: 'ModerationCounts',
    examples: [
      {
        enabled: true,
        fail: 'closed',
        days: [
          {
            ...{ day: '2026-01-15', allowed: 1204, refused: 7, failed: 0 },
            categories: [{ category: 'violence', requests: 7 }],
          },
        ],
      },
    ],
  },
)

export const registerAdminModeration = routesOf({ tag: 'desk', access: 'admin' })('GET', '/api/v1/admin/moderation', {
  operationId: 'getModeration',
  summary: 'What moderation has decided, by day',
  querystring: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 400, default: 30 }) }),
  data: Moderation,
  handler: async (app, request) => {
    const { moderation } = app.config
    const days = await moderationDays(app, request.query.days)
    return ok({ enabled: moderation !== null, fail: moderation?.fail ?? 'closed', days })
  },
})
