/**
 * `/api/v1/admin/users/{id}/desk`: what administrators do for a user or a team. Every action is a row: what its body
 * has beside the reason, and the call of admin/desk.ts. Each answers with the state afterwards.
 */
import { type Static, type TProperties, Type } from 'typebox'
import type { Auth } from '../../account/auth.ts'
import {
  addNote,
  type By,
  changeAddress,
  deleteNote,
  deskOf,
  endSessions,
  listTags,
  removeFactor,
  revokeKey,
  setLimits,
  setPassword,
  setTags,
  TAGS_MAX,
} from '../../admin/desk.ts'
import { requireOwner } from '../../admin/owner.ts'
import { restoreVideo } from '../../admin/videos.ts'
import type { App } from '../../app.ts'
import { NOT_BLANK, ok, Reason, TextOrNull, Timestamp } from '../request/envelope.ts'
import { userOf } from '../request/request.ts'
import { type Route, routesOf, together } from '../request/routes.ts'
import { withKeyStates } from '../sign-in/auth-api-keys.ts'
import { email, keyBudget, keyExample, keyFields, newPassword } from '../sign-in/auth-schemas.ts'
import { TeamKey, teamKeyExample } from '../team-keys.ts'

type Context = { app: App; auth: Auth }
const route = routesOf<Context>({ tag: 'desk', access: 'admin' })
const Id = Type.Object({ id: Type.String({ description: 'Of a user or a team' }) })
const userId = '01939b1e-1111-7aaa-8bbb-000000000001'

const count = (minimum: number, description: string) =>
  Type.Union([Type.Integer({ minimum, maximum: 1_000_000 }), Type.Null()], { description })
const limits = {
  inProgress: count(0, 'Videos in progress at a time; null: MAX_IN_PROGRESS'),
  requestsPerMinute: count(1, 'Requests of one person a minute, of which generate and uploads have no more; null: 600'),
}
const Tag = Type.String({ minLength: 1, maxLength: 40, pattern: '^[^\\s,]([^,]*[^\\s,])?$' })
const example = {
  apiKeys: [teamKeyExample],
  limits: { inProgress: 2, requestsPerMinute: null, budget: { ...keyExample.budget, period: 'day' as const } },
  tags: ['vip'],
  notes: [
    {
      id: '01939b1e-8888-7000-8000-000000000001',
      text: 'Asked for an invoice by post',
      actorId: '01939b1e-1111-7aaa-8bbb-000000000009',
      actorEmail: 'root@example.com',
      createdAt: '2026-01-15T09:30:00.000Z',
    },
  ],
}
const Desk = Type.Object(
  {
    apiKeys: Type.Array(TeamKey),
    limits: Type.Object({ ...limits, budget: keyFields.budget }, { title: 'OwnerLimits' }),
    tags: Type.Array(Tag),
    notes: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid' }),
          text: Type.String(),
          actorId: Type.String({ format: 'uuid', description: 'The administrator who wrote it' }),
          actorEmail: TextOrNull('null: a deleted account'),
          createdAt: Timestamp('When it was written'),
        },
        { title: 'OwnerNote' },
      ),
      { description: 'The newest 200, the newest first' },
    ),
  },
  { title: 'Desk', examples: [example] },
)

const shown = async (app: App, id: string) => {
  const desk = await deskOf(app, id)
  return ok((await withKeyStates(app, desk)) as Static<typeof Desk>)
}

type Action<Fields extends TProperties> = {
  operationId: string
  summary: string
  description?: string
  fields: Fields
  example: Static<ReturnType<typeof Type.Object<Fields>>>
  run: (context: Context, by: By, body: Static<ReturnType<typeof Type.Object<Fields>>>) => Promise<void>
}

/** An action on a user or a team, with a reason. */
function action<Fields extends TProperties>(path: string, own: Action<Fields>): Route<Context> {
  const { fields, example, run, ...names } = own
  const body = Type.Object(
    { reason: Reason(), ...fields },
    { additionalProperties: false, examples: [{ reason: 'Asked for by mail', ...example }] },
  )
  return route('POST', `/api/v1/admin/users/:id/desk/${path}`, {
    ...names,
    params: Id,
    body,
    errors: ['CONFLICT'],
    data: Desk,
    handler: async (context, request) => {
      const { app } = context
      const ownerId = await requireOwner(app, request.params.id)
      const { reason, ...rest } = request.body as { reason: string } & Parameters<typeof run>[2]
      const by = { ownerId, actorId: userOf(request).userId, reason: reason.trim(), requestId: request.id }
      await run(context, by, rest as Parameters<typeof run>[2])
      return await shown(app, ownerId)
    },
  })
}

const actions = [
  action('key', {
    operationId: 'revokeKeyOfOwner',
    summary: 'Revoke an API key of a user or a team',
    description: 'It is refused within a second. The user is told by mail.',
    fields: { keyId: Type.String({ format: 'uuid' }) },
    example: { keyId: keyExample.id },
    run: ({ app }, by, { keyId }) => revokeKey(app, by, keyId),
  }),
  action('address', {
    operationId: 'changeAddressOfUser',
    summary: 'Change the e-mail address of a user',
    description:
      'The old one is told by mail, and the new one gets the link that verifies it. 409: another user has it.',
    fields: { email },
    example: { email: 'ann@example.com' },
    run: ({ app, auth }, by, body) => changeAddress(app, auth, by, body.email),
  }),
  action('password', {
    operationId: 'setPasswordOfUser',
    summary: 'Mail a user a link to choose a password, or set one',
    description: 'A password that is set ends all sessions, and the user is told by mail.',
    fields: { password: Type.Optional(newPassword) },
    example: {},
    run: ({ app, auth }, by, { password = null }) => setPassword(app, auth, by, password),
  }),
  action('sessions', {
    operationId: 'endSessionsOfUser',
    summary: 'End all sessions of a user',
    fields: {},
    example: {},
    run: ({ app }, by) => endSessions(app, by),
  }),
  action('second-factor', {
    operationId: 'removeFactorOfUser',
    summary: 'Remove a second factor that its user has lost',
    description:
      'The app and its recovery codes, or the passkeys too. All sessions end, and the user is told by mail. 409: there is none.',
    fields: { passkeys: Type.Boolean({ default: false, description: 'true: the passkeys too' }) },
    example: { passkeys: false },
    run: ({ app }, by, body) => removeFactor(app, by, body),
  }),
  action('limits', {
    operationId: 'setLimitsOfOwner',
    summary: 'Limit a user or a team',
    description:
      'All limits at once. They count for all sessions, keys and members of it within a second, beside the budgets of keys and members: the ' +
      'smallest counts.',
    fields: { ...limits, budget: Type.Union([keyBudget, Type.Null()], { description: 'null: as many as it has' }) },
    example: { inProgress: 2, requestsPerMinute: null, budget: { credits: 500, period: 'day' } },
    run: ({ app }, by, body) => setLimits(app, by, body),
  }),
  action('tags', {
    operationId: 'setTagsOfOwner',
    summary: 'Set the tags of a user or a team',
    description: 'All tags at once. For administrators alone; users read them in their export.',
    fields: { tags: Type.Array(Tag, { maxItems: TAGS_MAX }) },
    example: { tags: ['vip'] },
    run: ({ app }, by, { tags }) => setTags(app, by, tags),
  }),
  action('note', {
    operationId: 'addNoteToOwner',
    summary: 'Note something about a user or a team',
    description: 'For administrators alone; users read it in their export.',
    fields: { text: Type.String({ maxLength: 2000, pattern: NOT_BLANK }) },
    example: { text: 'Asked for an invoice by post' },
    run: ({ app }, by, { text }) => addNote(app, by, text.trim()),
  }),
  action('note-deletion', {
    operationId: 'deleteNoteOfOwner',
    summary: 'Delete a note about a user or a team',
    fields: { noteId: Type.String({ format: 'uuid' }) },
    example: { noteId: '01939b1e-8888-7000-8000-000000000001' },
    run: ({ app }, by, { noteId }) => deleteNote(app, by, noteId),
  }),
]

const getRoute = route('GET', '/api/v1/admin/users/:id/desk', {
  operationId: 'getDesk',
  summary: 'The keys, limits, tags and notes of a user or a team',
  params: Id,
  data: Desk,
  handler: async ({ app }, request) => await shown(app, request.params.id),
})

const tagsRoute = route('GET', '/api/v1/admin/tags', {
  operationId: 'listTags',
  summary: 'The tags of users and teams',
  description: 'At most 500.',
  data: Type.Object({
    tags: Type.Array(Type.Object({ tag: Type.String(), owners: Type.Integer({ description: 'Users and teams' }) })),
  }),
  example: { tags: [{ tag: 'vip', owners: 3 }] },
  handler: async ({ app }) => ok({ tags: await listTags(app) }),
})

const restoreRoute = route('POST', '/api/v1/admin/videos/:uuid/restore', {
  operationId: 'restoreVideo',
  summary: 'Restore a video that its user has deleted',
  description:
    'As long as its files are kept (DELETED_KEPT). It is in its folder again, and its link to share works; a project does not get its take ' +
    'back. 409: it is not deleted, or its files are gone.',
  params: Type.Object({ uuid: Type.String() }),
  body: Type.Object(
    { reason: Reason() },
    { additionalProperties: false, examples: [{ reason: 'Deleted by mistake' }] },
  ),
  errors: ['CONFLICT'],
  data: Type.Object({ uuid: Type.String(), userId: Type.String() }),
  example: { uuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50', userId },
  handler: async ({ app }, request) => {
    const by = { actorId: userOf(request).userId, reason: request.body.reason.trim(), requestId: request.id }
    return ok(await restoreVideo(app, request.params.uuid.toLowerCase(), by))
  },
})

export const registerAdminDesk = together(getRoute, tagsRoute, ...actions, restoreRoute)
