/**
 * The operations of `/api/auth/*` about passkeys and the second factor, which better-auth serves. Those that change how
 * a user signs in need the password, or a sign-in of at most 10 minutes (account/restrictions.ts).
 */
import { Type } from 'typebox'
import { PASSKEY_NAME_MAX } from '../../account/second-factor.ts'
import { Name, TextOrNull, Timestamp } from '../request/envelope.ts'
import * as schemas from './auth-schemas.ts'
import {
  type AuthOperation,
  Body,
  operation,
  passwordExample,
  Session,
  SignedIn,
  Status,
  sessionExample,
  tokenExample,
  User,
  userExample,
} from './auth-schemas.ts'

const CODE_CHARACTERS_MAX = 40
const CREDENTIAL_TEXT_MAX = 8192
const password = Type.Optional(schemas.currentPassword)
const code = Type.String({ minLength: 1, maxLength: CODE_CHARACTERS_MAX })
const codesExample = ['Ab3dE-fGh1j', 'kLm2n-Opq4r']
const BackupCodes = Type.Array(Type.String(), { description: 'Each is good for one sign-in; they are shown this once' })

/** WebAuthn's own JSON: what a browser's parseCreationOptionsFromJSON reads, and what a credential's toJSON returns. */
const Ceremony = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })
const text = Type.String({ maxLength: CREDENTIAL_TEXT_MAX })
const credential = Type.Object(
  {
    id: text,
    rawId: text,
    type: Type.Literal('public-key'),
    authenticatorAttachment: Type.Optional(Type.Union([text, Type.Null()])),
    response: Type.Record(
      Type.String(),
      Type.Union([text, Type.Integer(), Type.Null(), Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })]),
    ),
    clientExtensionResults: Type.Object({}, { additionalProperties: true }),
  },
  { additionalProperties: false, description: 'The toJSON() of the browser’s PublicKeyCredential' },
)
const credentialExample = { id: 'AQ', rawId: 'AQ', type: 'public-key', response: {}, clientExtensionResults: {} }
const passkeyExample = {
  id: '01939b1e-5555-7000-8000-000000000001',
  name: 'Laptop',
  createdAt: '2026-01-15T09:30:00.000Z',
}
const Passkey = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: TextOrNull('The user’s name for it'),
    createdAt: Timestamp('When it was added'),
  },
  { title: 'Passkey', examples: [passkeyExample] },
)

export const factorOperations: AuthOperation[] = [
  operation('passkey/generate-register-options', {
    method: 'get',
    operationId: 'passkeyCreationOptions',
    summary: 'Begin to add a passkey',
    description: 'Sets a cookie with the challenge, which is good for five minutes.',
    session: 'any',
    limit: 'user',
    response: Ceremony('PublicKeyCredentialCreationOptionsJSON'),
    example: {
      challenge: 'x6Dh3wRkk0',
      rp: { id: 'kinora.example', name: 'Kinora' },
      user: { id: 'AQ', name: userExample.email, displayName: userExample.email },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    },
  }),
  operation('passkey/verify-registration', {
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'With the cookie of generate-register-options. 403 with SESSION_NOT_FRESH: send the password too. 403: also while an ' +
      'administrator impersonates the user.',
    session: 'recent',
    limit: 'password',
    body: Body(
      {
        name: Type.Optional(Name(PASSKEY_NAME_MAX)),
        response: credential,
        password,
      },
      { examples: [{ name: passkeyExample.name, response: credentialExample }] },
    ),
    errorCodes: { name: 'INVALID_PASSKEY_NAME' },
    response: Passkey,
  }),
  operation('passkey/generate-authenticate-options', {
    method: 'get',
    operationId: 'passkeyRequestOptions',
    summary: 'Begin a sign-in with a passkey',
    description: 'Sets a cookie with the challenge, which is good for five minutes.',
    session: 'none',
    limit: 'user',
    response: Ceremony('PublicKeyCredentialRequestOptionsJSON'),
    example: { challenge: 'x6Dh3wRkk0', rpId: 'kinora.example', userVerification: 'required' },
  }),
  operation('passkey/verify-authentication', {
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'With the cookie of generate-authenticate-options; sets the session cookie. The passkey must have verified its user, and counts as ' +
      'both factors. 403: the account is locked.',
    session: 'none',
    limit: 'password',
    body: Body({ response: credential }, { examples: [{ response: credentialExample }] }),
    response: Type.Object({ session: Session, user: User }),
    example: { session: { ...sessionExample, token: tokenExample }, user: userExample },
  }),
  operation('passkey/list-user-passkeys', {
    method: 'get',
    operationId: 'listPasskeys',
    summary: 'Your passkeys',
    session: 'any',
    limit: 'user',
    response: Type.Array(Passkey),
  }),
  operation('passkey/delete-passkey', {
    operationId: 'deletePasskey',
    summary: 'Delete a passkey',
    description: 'As verify-registration. 401, 404: it is not one of your passkeys.',
    session: 'recent',
    limit: 'password',
    body: Body({ id: Type.String({ format: 'uuid' }), password }, { examples: [{ id: passkeyExample.id }] }),
    response: Status,
  }),
  operation('two-factor/enable', {
    operationId: 'enableTwoFactor',
    summary: 'Begin to set up codes of an authenticator app (TOTP)',
    description:
      'The second factor counts once verify-totp has accepted a code. 403 with SESSION_NOT_FRESH: a user without a password signs in ' +
      'again. 403: also while an administrator impersonates the user.',
    session: 'recent',
    limit: 'password',
    body: Body({ password }, { examples: [{ password: passwordExample }] }),
    response: Type.Object({
      totpURI: Type.String({ description: 'otpauth://…, for the app' }),
      backupCodes: BackupCodes,
    }),
    example: {
      totpURI: 'otpauth://totp/kinora.example:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=kinora.example',
      backupCodes: codesExample,
    },
  }),
  operation('two-factor/disable', {
    operationId: 'disableTwoFactor',
    summary: 'Remove the second factor',
    description: 'As two-factor/enable. The response sets a new session.',
    session: 'recent',
    limit: 'password',
    body: Body({ password }, { examples: [{ password: passwordExample }] }),
    response: Status,
  }),
  operation('two-factor/generate-backup-codes', {
    operationId: 'generateRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'As two-factor/enable.',
    session: 'recent',
    limit: 'password',
    body: Body({ password }, { examples: [{ password: passwordExample }] }),
    response: Type.Object({ status: Type.Boolean(), backupCodes: BackupCodes }),
    example: { status: true, backupCodes: codesExample },
  }),
  operation('two-factor/verify-totp', {
    operationId: 'verifyTotp',
    summary: 'Finish a sign-in, or the set-up of the second factor, with a code of the app',
    description:
      'With the cookie of the sign-in, or with the session of the set-up. After five wrong codes the sign-in begins again; after ten in a row the ' +
      'second factor is locked for 15 minutes.',
    session: 'none',
    limit: 'password',
    body: Body({ code }, { examples: [{ code: '123456' }] }),
    response: SignedIn,
  }),
  operation('two-factor/verify-backup-code', {
    operationId: 'verifyRecoveryCode',
    summary: 'Finish a sign-in with a recovery code',
    description: 'As verify-totp; the code is used up.',
    session: 'none',
    limit: 'password',
    body: Body({ code }, { examples: [{ code: 'Ab3dE-fGh1j' }] }),
    response: SignedIn,
  }),
]
