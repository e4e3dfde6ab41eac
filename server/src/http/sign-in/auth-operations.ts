/**
 * The operations of `/api/auth/*` for users. better-auth serves them; http/sign-in/auth.ts passes on only those that
 * are listed here and in auth-admin-operations.ts, after it has validated them against these schemas. A test calls each
 * operation and validates the responses.
 */
import { Type } from 'typebox'
import { API_KEYS_MAX } from '../../account/key/api-key-limit.ts'
import { KEY_CHANGES } from '../../account/restrictions.ts'
import { Balance } from '../credit.ts'
import { TextOrNull } from '../request/envelope.ts'
import { adminOperations } from './auth-admin-operations.ts'
import { factorOperations } from './auth-factor-operations.ts'
import { mailOperations } from './auth-mail-operations.ts'
import { methodOperations } from './auth-method-operations.ts'
import type { AuthOperation } from './auth-schemas.ts'
import * as schemas from './auth-schemas.ts'
import {
  ApiKey,
  Body,
  keyExample,
  keyFields,
  newPasswordErrors,
  operation,
  passwordExample,
  Session,
  SignedIn,
  Status,
  Success,
  sessionExample,
  Token,
  tokenExample,
  User,
  userExample,
} from './auth-schemas.ts'

const keyErrors = {
  'name required': 'NAME_REQUIRED',
  name: 'INVALID_NAME_LENGTH',
  'expiresIn minimum': 'EXPIRES_IN_IS_TOO_SMALL',
  'expiresIn maximum': 'EXPIRES_IN_IS_TOO_LARGE',
}

export const userOperations: schemas.AuthOperation[] = [
  operation('sign-up/email', {
    operationId: 'signUp',
    summary: 'Create an account, and sign in',
    description:
      'Sets the session cookie; a program keeps the token. 400 with PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another ' +
      'password. 422: the e-mail address already has an account. Where GET /api/v1/config/sign-in has a captcha, the header ' +
      'X-Captcha-Response has the response of its widget: 400 MISSING_RESPONSE, 403 VERIFICATION_FAILED. ' +
      '403 with SIGN_UP_CLOSED or INVITATION_NEEDED: signUp there is not open; POST /api/v1/invitation opens an invitation.',
    session: 'none',
    limit: 'password',
    newPassword: { field: 'password', owner: 'email' },
    body: Body(
      {
        name: schemas.name,
        email: schemas.email,
        password: schemas.newPassword,
        image: Type.Optional(schemas.image),
        language: Type.Optional(schemas.language),
        rememberMe: schemas.rememberMe,
      },
      { examples: [{ name: userExample.name, email: userExample.email, password: passwordExample }] },
    ),
    response: SignedIn,
    errorCodes: { 'password minLength': 'PASSWORD_TOO_SHORT' },
  }),
  operation('sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Sets the session cookie; a program keeps the token. Of a user with a second factor the response has twoFactorRedirect instead. ' +
      '403: the account is locked. 429: too many attempts failed; Retry-After ' +
      'says how long to wait.',
    session: 'none',
    limit: 'password',
    body: Body(
      { email: schemas.email, password: schemas.currentPassword, rememberMe: schemas.rememberMe },
      { examples: [{ email: userExample.email, password: passwordExample }] },
    ),
    response: Type.Object({
      redirect: Type.Optional(Type.Boolean({ examples: [false] })),
      token: Type.Optional(Token),
      user: Type.Optional(User),
      twoFactorRedirect: Type.Optional(
        Type.Literal(true, {
          description: 'No session yet: verify-totp or verify-backup-code comes next, with the cookie',
        }),
      ),
      twoFactorMethods: Type.Optional(Type.Array(Type.String())),
    }),
  }),
  operation('sign-out', {
    operationId: 'signOut',
    summary: 'End this session',
    session: 'none',
    limit: 'user',
    response: Success,
  }),
  operation('get-session', {
    method: 'get',
    operationId: 'getSession',
    summary: 'The session, its user and the balance',
    description: 'null when the request has no valid session.',
    session: 'none',
    limit: 'user',
    query: {
      disableRefresh: Type.Boolean({ description: 'true: do not extend the session' }),
    },
    response: Type.Union([Type.Object({ session: Session, user: User, credits: Balance }), Type.Null()]),
    example: {
      session: sessionExample,
      user: userExample,
      credits: {
        ...{ available: 60, frozen: 0, used: 0, total: 60, expiringSoon: 0 },
        ...{ expired: 0, clawedBack: 0, owed: 0 },
      },
    },
  }),
  operation('update-user', {
    operationId: 'updateUser',
    summary: 'Change your name, or the language of mails',
    session: 'any',
    limit: 'user',
    body: Body(
      {
        name: Type.Optional(schemas.name),
        image: Type.Optional(schemas.image),
        language: Type.Optional(schemas.language),
      },
      { examples: [{ name: 'Anna' }], minProperties: 1 },
    ),
    response: Status,
    errorCodes: { name: 'INVALID_NAME', minProperties: 'NO_FIELDS_TO_UPDATE' },
  }),
  operation('change-password', {
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'With revokeOtherSessions all sessions end, and the response has a new one: in the cookie, and as token for programs. 400 with ' +
      'PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another password. 403: also while an administrator impersonates the user.',
    session: 'any',
    limit: 'password',
    newPassword: { field: 'newPassword', owner: 'caller' },
    body: Body(
      {
        currentPassword: schemas.currentPassword,
        newPassword: schemas.newPassword,
        revokeOtherSessions: Type.Optional(Type.Boolean({ default: false })),
      },
      {
        examples: [
          { currentPassword: passwordExample, newPassword: 'a paper boat in the rain', revokeOtherSessions: true },
        ],
      },
    ),
    response: Type.Object({
      token: TextOrNull('Of the new session; null without revokeOtherSessions'),
      user: User,
    }),
    example: { token: tokenExample, user: userExample },
    errorCodes: newPasswordErrors,
  }),
  operation('verify-password', {
    operationId: 'verifyPassword',
    summary: 'Check your password',
    description: '400 with INVALID_PASSWORD: it is another one.',
    session: 'any',
    limit: 'password',
    body: Body({ password: schemas.currentPassword }, { examples: [{ password: passwordExample }] }),
    response: Status,
  }),
  operation('list-sessions', {
    method: 'get',
    operationId: 'listSessions',
    summary: 'Your sessions',
    session: 'any',
    limit: 'user',
    isAllowedWhileImpersonating: true,
    response: Type.Array(Session),
  }),
  operation('revoke-session', {
    operationId: 'revokeSession',
    summary: 'End one of your sessions',
    description:
      'It stops working within a second. A token that is not yours changes nothing and gets the same response.',
    session: 'any',
    limit: 'user',
    body: Body({ token: schemas.sessionToken }, { examples: [{ token: sessionExample.token }] }),
    response: Status,
  }),
  operation('revoke-other-sessions', {
    operationId: 'revokeOtherSessions',
    summary: 'End all sessions but this one',
    session: 'any',
    limit: 'user',
    response: Status,
  }),
  operation('revoke-sessions', {
    operationId: 'revokeSessions',
    summary: 'End all your sessions, this one too',
    session: 'any',
    limit: 'user',
    response: Status,
  }),
  operation('api-key/create', {
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The only response with the key itself: it is stored as a hash and cannot be shown again. Without the password the sign-in must ' +
      'be at most 10 minutes old; else 403 with SESSION_NOT_FRESH. 403: also while an administrator impersonates the user. ' +
      `At most ${API_KEYS_MAX} keys a user: 400 with TOO_MANY_KEYS.`,
    session: 'recent',
    limit: 'password',
    showsKeys: true,
    body: Body(
      {
        name: schemas.keyName,
        expiresIn: Type.Optional(schemas.expiresIn),
        scopes: Type.Optional(schemas.keyScopes),
        budget: Type.Optional(schemas.keyBudget),
        test: Type.Optional(schemas.keyTest),
        password: Type.Optional(schemas.currentPassword),
      },
      {
        examples: [
          {
            name: 'server',
            scopes: ['read', 'generate'],
            budget: { credits: 500, period: 'month' },
            password: passwordExample,
          },
        ],
      },
    ),
    response: Type.Object(
      { ...keyFields, key: Type.String({ description: 'Send it as x-api-key' }) },
      { title: 'CreatedApiKey', examples: [{ ...keyExample, key: 'kin_FWSvPktLTZzGuUzqKiGUhWupTqwbfCwsAeTG' }] },
    ),
    errorCodes: { ...keyErrors, additionalProperties: 'SERVER_ONLY_PROPERTY' },
  }),
  operation('api-key/list', {
    method: 'get',
    operationId: 'listApiKeys',
    summary: 'Your API keys',
    session: 'any',
    limit: 'user',
    isAllowedWhileImpersonating: true,
    showsKeys: true,
    query: {
      limit: Type.Integer({ minimum: 1, maximum: 1000, description: '100 when left out' }),
      offset: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      sortBy: Type.Enum(['createdAt', 'name', 'lastRequest', 'expiresAt']),
      sortDirection: Type.Enum(['asc', 'desc']),
    },
    response: Type.Object({ apiKeys: Type.Array(ApiKey), total: Type.Integer({ examples: [1] }) }),
  }),
  operation('api-key/update', {
    operationId: 'updateApiKey',
    summary: 'Change an API key',
    description:
      'What is left out stays. Other scopes, another budget or expiry count within a second, and take the password, or a sign-in of ' +
      'at most 10 minutes; else 403 with SESSION_NOT_FRESH. A disabled key stops working within a second. 404: it is not one of ' +
      'your keys. 403: also while an administrator impersonates the user.',
    session: { recentFor: KEY_CHANGES },
    limit: 'password',
    showsKeys: true,
    body: Body(
      {
        keyId: schemas.keyId,
        name: Type.Optional(schemas.keyName),
        enabled: Type.Optional(Type.Boolean()),
        scopes: Type.Optional(schemas.keyScopes),
        budget: Type.Optional(Type.Union([schemas.keyBudget, Type.Null()], { description: 'null: no budget' })),
        expiresIn: Type.Optional(
          Type.Union([schemas.expiresIn, Type.Null()], { description: 'Seconds from now; null: it never expires' }),
        ),
        password: Type.Optional(schemas.currentPassword),
      },
      { examples: [{ keyId: keyExample.id, enabled: false }] },
    ),
    response: ApiKey,
    example: { ...keyExample, enabled: false },
    errorCodes: keyErrors,
  }),
  operation('api-key/delete', {
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'It stops working within a second. 404: it is not one of your keys.',
    session: 'any',
    limit: 'user',
    body: Body({ keyId: schemas.keyId }, { examples: [{ keyId: keyExample.id }] }),
    response: Success,
  }),
]

/** Everything that is reachable under /api/auth, besides payment webhooks. */
export const authOperations: AuthOperation[] = [
  ...userOperations,
  ...methodOperations,
  ...factorOperations,
  ...mailOperations,
  ...adminOperations,
]
