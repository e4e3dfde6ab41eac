/** The operations of `/api/auth/*` about ways to sign in beside the password, which better-auth serves. */
import { Type } from 'typebox'
import { Timestamp } from '../request/envelope.ts'
import type { AuthOperation } from './auth-schemas.ts'
import { Body, currentPassword, email, operation, Status, Token, User } from './auth-schemas.ts'

const providerId = Type.String({ pattern: '^[a-z0-9]{1,40}$', description: 'An id of GET /api/v1/config/sign-in' })
/** Open redirect: a path of this service only. A browser takes //host and /\host for another host. */
const callbackURL = Type.String({
  pattern: '^/(?![/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$',
  maxLength: 2000,
  description: 'The path of this service to return to',
})
/** The least time of a response, so that it does not tell whether the address has an account (timing side channel). */
const SAME_TIME_MS = 250
const Redirect = Type.Object(
  { url: Type.String({ format: 'uri' }), redirect: Type.Boolean() },
  {
    title: 'ProviderRedirect',
    examples: [{ url: 'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=x', redirect: true }],
  },
)

export const methodOperations: AuthOperation[] = [
  operation('sign-in/social', {
    operationId: 'signInWithProvider',
    summary: 'Begin a sign-in with Google, GitHub or an OpenID provider',
    description:
      'Returns the provider’s address, to which the browser goes next; it comes back to callbackURL with the session cookie, or to /sign-in ' +
      'with ?error=…. A new user gets an account, as with sign-up/email. An account that exists is joined only when it and the provider have verified ' +
      'the same e-mail address. 404: the provider is not set up.',
    session: 'none',
    limit: 'user',
    body: Body({ provider: providerId, callbackURL }, { examples: [{ provider: 'google', callbackURL: '/' }] }),
    response: Redirect,
    errorCodes: { provider: 'PROVIDER_NOT_FOUND', callbackURL: 'INVALID_CALLBACK_URL' },
  }),
  operation('link-social', {
    operationId: 'linkProvider',
    summary: 'Begin to link an account at a provider to yours',
    description:
      'As sign-in/social. The provider must have verified your e-mail address; it is verified here too then. 403 with SESSION_NOT_FRESH: send the password too. 403: also while an ' +
      'administrator impersonates the user. 404: the provider is not set up.',
    session: 'recent',
    limit: 'password',
    body: Body(
      { provider: providerId, callbackURL, password: Type.Optional(currentPassword) },
      { examples: [{ provider: 'google', callbackURL: '/account' }] },
    ),
    response: Redirect,
    errorCodes: { provider: 'PROVIDER_NOT_FOUND', callbackURL: 'INVALID_CALLBACK_URL' },
  }),
  operation('list-accounts', {
    method: 'get',
    operationId: 'listAccounts',
    summary: 'Your password, and your accounts at providers',
    session: 'any',
    limit: 'user',
    response: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid' }),
          providerId: Type.String({ description: 'credential: the password' }),
          createdAt: Timestamp('When it was added'),
        },
        {
          title: 'LinkedAccount',
          examples: [
            {
              id: '01939b1e-4444-7000-8000-000000000001',
              providerId: 'google',
              createdAt: '2026-01-15T09:30:00.000Z',
            },
          ],
        },
      ),
    ),
  }),
  operation('unlink-account', {
    operationId: 'unlinkAccount',
    summary: 'Unlink your account at a provider, or remove your password',
    description:
      '400: you have no such account, or it is the last one. 403 with SESSION_NOT_FRESH: send the password too.',
    session: 'recent',
    limit: 'password',
    body: Body(
      { accountId: Type.String({ format: 'uuid' }), password: Type.Optional(currentPassword) },
      { examples: [{ accountId: '01939b1e-4444-7000-8000-000000000001' }] },
    ),
    response: Status,
  }),
  operation('sign-in/magic-link', {
    operationId: 'mailSignInLink',
    summary: 'Mail a link that signs in',
    description:
      'The response is the same, and takes the same time, whether or not the address has an account. The link works for ten ' +
      'minutes, once. Where mail is not set up none is sent. 429: several messages were sent to the address within an hour.',
    session: 'none',
    limit: 'password',
    body: Body({ email }, { examples: [{ email: 'ann@example.com' }] }),
    response: Status,
    minimumMs: SAME_TIME_MS,
  }),
  operation('magic-link/verify', {
    method: 'get',
    operationId: 'signInWithLink',
    summary: 'Sign in with the token of a mailed link',
    description:
      'Sets the session cookie; a program keeps the token. The address is verified then; a password that was set before it was verified is removed. Of a user with a second ' +
      'factor the response has twoFactorRedirect instead. 400 with INVALID_TOKEN: the link was used, or is older than ten minutes.',
    session: 'none',
    limit: 'password',
    query: { token: Type.String({ minLength: 1, maxLength: 200 }) },
    response: Type.Object({
      token: Type.Optional(Token),
      user: Type.Optional(User),
      twoFactorRedirect: Type.Optional(Type.Literal(true)),
    }),
    isSameOriginOnly: true,
  }),
]
