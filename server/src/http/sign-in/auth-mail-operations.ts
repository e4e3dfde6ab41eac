/** The operations of `/api/auth/*` that mail, or take the token of a mailed link. */
import { Type } from 'typebox'
import * as schemas from './auth-schemas.ts'
import { Body, newPasswordErrors, operation, Status } from './auth-schemas.ts'

const token = Type.String({ minLength: 1, maxLength: 2048, description: 'From the link of the message' })

/**
 * The least time of a response, so that it does not tell whether the address has an account (timing side channel):
 * writing the message takes some milliseconds.
 */
const SAME_TIME_MS = 250

export const mailOperations: schemas.AuthOperation[] = [
  operation('request-password-reset', {
    operationId: 'requestPasswordReset',
    summary: 'Mail a link that resets the password',
    description:
      'The response is the same, and takes the same time, whether or not the address has an account. The link works for an hour, ' +
      'once. 429: several messages were sent to the address within an hour.',
    session: 'none',
    limit: 'password',
    body: Body({ email: schemas.email }, { examples: [{ email: 'ann@example.com' }] }),
    response: Status,
    minimumMs: SAME_TIME_MS,
  }),
  operation('reset-password', {
    operationId: 'resetPassword',
    summary: 'Set a new password, with the token of a mailed link',
    description:
      'All sessions of the user end, and earlier links stop working; API keys stay valid. 400 with INVALID_TOKEN: the link was ' +
      'used, or is older than an hour. 400 with PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another password; the link still ' +
      'works.',
    session: 'none',
    limit: 'password',
    newPassword: { field: 'newPassword', owner: 'token' },
    body: Body(
      { token, newPassword: schemas.newPassword },
      { examples: [{ token: 'q0Tz4mXw2VJ8kL1nB7yRfC3d', newPassword: 'correct horse battery staple' }] },
    ),
    response: Status,
    errorCodes: newPasswordErrors,
  }),
  operation('send-verification-email', {
    operationId: 'sendVerificationEmail',
    summary: 'Mail a link that verifies your e-mail address',
    description: 'The link works for an hour. 400: the address is not yours, or is verified already.',
    session: 'any',
    limit: 'password',
    body: Body({ email: schemas.email }, { examples: [{ email: 'ann@example.com' }] }),
    response: Status,
  }),
  operation('verify-email', {
    method: 'get',
    operationId: 'verifyEmail',
    summary: 'Verify an e-mail address, with the token of a mailed link',
    description:
      'Of a change of address: the link to the present address mails the new one, whose link makes the change. Both need a session ' +
      'of the user. 401: the link is wrong or older than an hour, or a change needs you to sign in.',
    session: 'none',
    limit: 'user',
    query: { token },
    response: Status,
  }),
  operation('change-email', {
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    description:
      'Mails a link to your present address if it is verified, and then one to the new address. The response is the same when the ' +
      'new address has an account, which gets no message. Without the password the sign-in must be at most 10 minutes old; else 403 ' +
      'with SESSION_NOT_FRESH. 403: also while an administrator impersonates the user.',
    session: 'recent',
    limit: 'password',
    body: Body(
      { newEmail: schemas.email, password: Type.Optional(schemas.currentPassword) },
      { examples: [{ newEmail: 'ann@example.org', password: 'correct horse battery staple' }] },
    ),
    response: Status,
    errorCodes: { 'newEmail format': 'INVALID_EMAIL', 'newEmail maxLength': 'INVALID_EMAIL' },
  }),
]
