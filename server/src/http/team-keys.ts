/** `/api/v1/team/keys`: API keys of a team, which pays; they manage neither members nor keys. */
import { type Static, Type } from 'typebox'
import type { Auth, CurrentSession } from '../account/auth.ts'
import { API_KEYS_MAX } from '../account/key/api-key-limit.ts'
import { SCOPES } from '../account/key/scope.ts'
import { FRESH_SIGN_IN_MIN } from '../account/restrictions.ts'
import { createTeamKey, deleteTeamKey, listTeamKeys } from '../account/team/key.ts'
import type { App } from '../app.ts'
import { openTestAccount } from '../credit/gift.ts'
import { AppError } from '../errors.ts'
import { authorityExample, authorityFields } from './makers.ts'
import { ok } from './request/envelope.ts'
import { routesOf, together } from './request/routes.ts'
import { withKeyStates } from './sign-in/auth-api-keys.ts'
import { expiresIn, keyBudget, keyExample, keyFields, keyName, keyScopes, keyTest } from './sign-in/auth-schemas.ts'
import { memberOf, teamOf } from './team.ts'

const fields = { ...keyFields, ...authorityFields }
export const teamKeyExample = { ...keyExample, ...authorityExample }
export const TeamKey = Type.Object(fields, { title: 'TeamKey', examples: [teamKeyExample] })
const CreatedKey = Type.Object(
  { ...fields, key: Type.String({ description: 'Shown this once; send it as x-api-key, without X-Team' }) },
  {
    title: 'CreatedTeamKey',
    'x-base': TeamKey,
    examples: [{ ...teamKeyExample, key: 'kin_FWSvPktLTZzGuUzqKiGUhWupTqwbfCwsAeTG' }],
  },
)

const route = routesOf<{ app: App; auth: Auth }>({ tag: 'team', access: 'user' })

const createRoute = route('POST', '/api/v1/team/keys', {
  operationId: 'createTeamKey',
  summary: 'Create an API key of a team',
  config: { team: 'admin', limit: 'password', unrepeatable: 'its answer has a secret of which only a hash is kept' },
  description:
    'Needs a session: a stolen one of long ago does not do it, so the sign-in is at most 10 minutes old, or the password is in the body. The ' +
    'key ends when its maker leaves or loses the role, unless an owner takes it over. 403: also while an administrator impersonates the user. ' +
    `409: the team has ${API_KEYS_MAX} keys, which is the most.`,
  body: Type.Object(
    {
      name: keyName,
      expiresIn: Type.Optional(expiresIn),
      scopes: Type.Optional(keyScopes),
      budget: Type.Optional(keyBudget),
      test: Type.Optional(keyTest),
      password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    },
    { additionalProperties: false, examples: [{ name: 'server', scopes: ['read', 'generate'] }] },
  ),
  errors: ['CONFLICT'],
  data: CreatedKey,
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId, session } = await memberOf(app, auth, request)
    const { name, expiresIn = null, scopes = SCOPES, budget = null, test: isTest = false, password } = request.body
    await requireRecent(app, auth, session, password)
    if (isTest) await openTestAccount(app, teamId)
    const made = await createTeamKey(app, auth, { teamId, madeBy: actorId, name, expiresIn, scopes, budget, isTest })
    return ok((await withKeyStates(app, made)) as Static<typeof CreatedKey>)
  },
})

/** @throws AppError FORBIDDEN, INVALID_REQUEST for a wrong password */
async function requireRecent(
  app: App,
  auth: Auth,
  session: CurrentSession | null,
  password: string | undefined,
): Promise<void> {
  if (!session)
    throw new AppError('FORBIDDEN', 'Only a session of a member creates keys of a team, and no API key does.')
  if (password !== undefined) {
    if (await auth.isPassword(session.userId, password)) return
    throw new AppError('INVALID_REQUEST', 'This is not your password.', {
      details: [{ path: 'password', message: 'is not your password' }],
    })
  }
  if (app.now().getTime() - session.signedInAt.getTime() > FRESH_SIGN_IN_MIN * 60_000) {
    throw new AppError('FORBIDDEN', 'Your sign-in is a while ago. Send your password, or sign in again.', {
      details: { reason: 'sign_in_old' },
    })
  }
}

const listRoute = route('GET', '/api/v1/team/keys', {
  operationId: 'listTeamKeys',
  summary: 'The API keys of a team',
  config: { team: 'admin' },
  data: Type.Object({ apiKeys: Type.Array(TeamKey) }),
  handler: async ({ app }, request) => {
    const apiKeys = await listTeamKeys(app, teamOf(request).userId)
    return ok((await withKeyStates(app, { apiKeys })) as { apiKeys: Static<typeof TeamKey>[] })
  },
})

const deleteRoute = route('DELETE', '/api/v1/team/keys/:id', {
  operationId: 'deleteTeamKey',
  summary: 'Delete an API key of a team',
  config: { team: 'admin' },
  description: 'It stops working within a second, and its browser tokens with it.',
  params: Type.Object({ id: Type.String() }),
  data: Type.Object({ id: Type.String() }),
  example: { id: keyExample.id },
  handler: async ({ app, auth }, request) => {
    const { teamId, actorId } = await memberOf(app, auth, request)
    const { id } = request.params
    await deleteTeamKey(app, { teamId, actorId, id })
    return ok({ id })
  },
})

export const registerTeamKeys = together(createRoute, listRoute, deleteRoute)
