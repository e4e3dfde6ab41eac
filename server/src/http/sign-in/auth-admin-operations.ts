/**
 * The administrators' operations of `/api/auth/admin/*`, which better-auth serves. What changes something is in the
 * audit log (account/audited-operations.ts). `/api/v1/admin` has the list of users, and the deletion of one.
 */
import { Type } from 'typebox'
import { NOT_BLANK } from '../request/envelope.ts'
import type { AuthOperation } from './auth-schemas.ts'
import * as schemas from './auth-schemas.ts'
import {
  Body,
  newPasswordErrors,
  operation,
  passwordExample,
  Session,
  Status,
  Success,
  sessionExample,
  tokenExample,
  User,
  userExample,
} from './auth-schemas.ts'

const REASON_MAX = 500
const MINUTE_S = 60
const TEN_YEARS_S = 10 * 365 * 86_400

const role = Type.Enum(['user', 'admin'])
const reason = Type.String({ maxLength: REASON_MAX, description: 'Kept in the audit log' })
const ofUser = Body({ userId: schemas.userId }, { examples: [{ userId: userExample.id }] })
const administrator = {
  ...userExample,
  id: '01939b1e-1111-7aaa-8bbb-000000000002',
  name: 'Root',
  email: 'root@example.com',
  role: 'admin',
}
const OfUser = Type.Object({ user: User })
const Permissions = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 40 })

/** An operation under /api/auth/admin, which requires the role admin. */
const adminOperation: typeof operation = (name, rest) => operation(`admin/${name}`, rest)

export const adminOperations: AuthOperation[] = [
  adminOperation('create-user', {
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'Without a password the user cannot sign in until set-user-password. 400: the e-mail address has an account.',
    session: 'any',
    limit: 'user',
    newPassword: { field: 'password', owner: 'email' },
    body: Body(
      {
        email: schemas.email,
        name: schemas.name,
        password: Type.Optional(schemas.newPassword),
        role: Type.Optional(role),
      },
      { examples: [{ email: userExample.email, name: userExample.name, password: passwordExample, role: 'user' }] },
    ),
    response: OfUser,
    errorCodes: { 'password minLength': 'PASSWORD_TOO_SHORT' },
  }),
  adminOperation('update-user', {
    operationId: 'updateUserAsAdmin',
    summary: 'Change the name or the e-mail address of a user',
    session: 'any',
    limit: 'user',
    body: Body(
      {
        userId: schemas.userId,
        data: Body({ name: Type.Optional(schemas.name), email: Type.Optional(schemas.email) }, { minProperties: 1 }),
      },
      { examples: [{ userId: userExample.id, data: { name: 'Anna' } }] },
    ),
    response: User,
    example: { ...userExample, name: 'Anna' },
    errorCodes: {
      'data.name': 'INVALID_NAME',
      'data.email': 'INVALID_EMAIL',
      'data minProperties': 'NO_FIELDS_TO_UPDATE',
    },
  }),
  adminOperation('set-role', {
    operationId: 'setRole',
    summary: 'Make a user an administrator, or an administrator a user',
    description: '409: it is the last administrator.',
    session: 'any',
    limit: 'user',
    body: Body(
      { userId: schemas.userId, role, reason: Type.Optional(reason) },
      { examples: [{ userId: userExample.id, role: 'admin', reason: 'On call from today' }] },
    ),
    response: OfUser,
    example: { user: { ...userExample, role: 'admin' } },
  }),
  adminOperation('set-user-password', {
    operationId: 'setUserPassword',
    summary: 'Set the password of a user',
    description: 'Sessions and keys of the user stay; end the sessions with revoke-user-sessions.',
    session: 'any',
    limit: 'user',
    newPassword: { field: 'newPassword', owner: 'userId' },
    body: Body(
      { userId: schemas.userId, newPassword: schemas.newPassword },
      { examples: [{ userId: userExample.id, newPassword: passwordExample }] },
    ),
    response: Status,
    errorCodes: newPasswordErrors,
  }),
  adminOperation('ban-user', {
    operationId: 'banUser',
    summary: 'Lock the account of a user',
    description: 'Sessions end, and sessions and keys stop working within a second. 409: it is the last administrator.',
    session: 'any',
    limit: 'user',
    body: Body(
      {
        userId: schemas.userId,
        banReason: Type.Optional(reason),
        banExpiresIn: Type.Optional(
          Type.Integer({
            minimum: MINUTE_S,
            maximum: TEN_YEARS_S,
            description: 'Seconds; without it until unban-user',
          }),
        ),
      },
      { examples: [{ userId: userExample.id, banReason: 'Chargebacks', banExpiresIn: 604_800 }] },
    ),
    response: OfUser,
    example: {
      user: { ...userExample, banned: true, banReason: 'Chargebacks', banExpires: '2026-01-22T09:30:00.000Z' },
    },
  }),
  adminOperation('unban-user', {
    operationId: 'unbanUser',
    summary: 'Unlock the account of a user',
    session: 'any',
    limit: 'user',
    body: ofUser,
    response: OfUser,
  }),
  adminOperation('list-user-sessions', {
    operationId: 'listUserSessions',
    summary: 'The sessions of a user',
    session: 'any',
    limit: 'user',
    body: ofUser,
    response: Type.Object({ sessions: Type.Array(Session) }),
  }),
  adminOperation('revoke-user-session', {
    operationId: 'revokeUserSession',
    summary: 'End a session of a user',
    session: 'any',
    limit: 'user',
    body: Body({ sessionToken: schemas.sessionToken }, { examples: [{ sessionToken: sessionExample.token }] }),
    response: Success,
  }),
  adminOperation('revoke-user-sessions', {
    operationId: 'revokeUserSessions',
    summary: 'End all sessions of a user',
    session: 'any',
    limit: 'user',
    body: ofUser,
    response: Success,
  }),
  adminOperation('impersonate-user', {
    operationId: 'impersonateUser',
    summary: 'Impersonate a user for an hour',
    description:
      'Sets the session cookie to a session of the user; a program keeps its token. That session reads what the user sees. With a reason it also ' +
      'generates, cancels, uploads, arranges, shares and publishes films, and each such request is in the audit log. It makes no keys, endpoints, ' +
      'invitations, passwords, exports or deletions. It ends within a second with the session in which it began, and when you are no ' +
      'administrator any more; the user sees it in the list of sessions, and can end it. 403: the user is an administrator.',
    session: 'any',
    limit: 'user',
    body: Body(
      {
        userId: schemas.userId,
        reason: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: REASON_MAX,
            pattern: NOT_BLANK,
            description: 'Why you change something for the user; without it the session reads only',
          }),
        ),
      },
      { examples: [{ userId: userExample.id, reason: 'The user asked for help with a film' }] },
    ),
    response: Type.Object({ session: Session, user: User }),
    example: {
      session: {
        ...sessionExample,
        token: tokenExample,
        impersonatedBy: administrator.id,
        impersonationReason: 'The user asked for help with a film',
        expiresAt: '2026-01-15T10:30:00.000Z',
      },
      user: userExample,
    },
  }),
  adminOperation('stop-impersonating', {
    operationId: 'stopImpersonating',
    summary: 'End the impersonation, and return to your own session',
    description:
      'Both are null when the administrator’s own session is over, and for a program, which goes on with its own token. 400: this ' +
      'session impersonates no user.',
    session: 'any',
    limit: 'user',
    isAllowedWhileImpersonating: true,
    response: Type.Object({
      session: Type.Union([Session, Type.Null()]),
      user: Type.Union([User, Type.Null()]),
    }),
    example: { session: { ...sessionExample, userId: administrator.id }, user: administrator },
  }),
  adminOperation('has-permission', {
    operationId: 'hasPermission',
    summary: 'Whether you may do something to users or sessions',
    session: 'any',
    limit: 'user',
    isAllowedWhileImpersonating: true,
    body: Body(
      {
        permissions: Body(
          { user: Type.Optional(Permissions), session: Type.Optional(Permissions) },
          { description: 'For example { "user": ["ban"] }' },
        ),
      },
      { examples: [{ permissions: { user: ['ban'] } }] },
    ),
    response: Type.Object({ error: Type.Null(), success: Type.Boolean() }),
    example: { error: null, success: true },
  }),
]
