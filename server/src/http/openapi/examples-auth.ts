/** Examples of the operations under /api/auth, by operation id: `data` is the whole response, without an envelope. */
const createdAt = '2026-01-15T09:30:00.000Z'
const account = {
  id: '01939b1e-1111-7aaa-8bbb-000000000001',
  name: 'Ann',
  email: 'ann@example.com',
  emailVerified: false,
  image: null,
  language: null,
  role: 'user',
  twoFactorEnabled: false,
  banned: false,
  banReason: null,
  banExpires: null,
  createdAt,
  updatedAt: createdAt,
}
const session = {
  id: '01939b1e-2222-7000-8000-000000000001',
  userId: account.id,
  token: 'sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k',
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  impersonatedBy: null,
  createdAt,
  updatedAt: createdAt,
  expiresAt: '2026-02-14T09:30:00.000Z',
}
const administrator = {
  ...account,
  id: '01939b1e-1111-7aaa-8bbb-000000000002',
  name: 'Root',
  email: 'root@example.com',
  role: 'admin',
}
const token = 'oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL'
const apiKey = {
  id: '01939b1e-3333-7000-8000-000000000001',
  name: 'server',
  start: 'kin_FWSvPk',
  enabled: true,
  scopes: ['read', 'generate'],
  budget: { credits: 500, period: 'month', used: 0, resetAt: '2026-02-01T00:00:00.000Z' },
  used: { day: 0, week: 0, month: 0 },
  lastRequest: null,
  expiresAt: null,
  createdAt,
}
const passkey = { id: '01939b1e-5555-7000-8000-000000000001', name: 'Laptop', createdAt }
const creationOptions = {
  challenge: 'x6Dh3wRkk0',
  rp: { id: 'kinora.example', name: 'Kinora' },
  user: { id: 'AQ', name: account.email, displayName: account.email },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
}
const { enabled: _, lastRequest: __, ...ownKey } = apiKey
const credits = { available: 60, frozen: 0, used: 0, total: 60, expiringSoon: 0 }
const password = 'correct horse battery'

export const authExamples = {
  signUp: {
    request: { name: 'Ann', email: account.email, password },
    data: { token, user: account },
  },
  signIn: {
    request: { email: account.email, password },
    data: { redirect: false, token, user: account },
  },
  signOut: { data: { success: true } },
  enableTwoFactor: {
    request: { password },
    data: {
      totpURI: 'otpauth://totp/kinora.example:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=kinora.example',
      backupCodes: ['Ab3dE-fGh1j', 'kLm2n-Opq4r'],
    },
  },
  disableTwoFactor: { request: { password }, data: { status: true } },
  generateRecoveryCodes: { request: { password }, data: { status: true, backupCodes: ['Ab3dE-fGh1j', 'kLm2n-Opq4r'] } },
  verifyTotp: { request: { code: '123456' }, data: { token, user: account } },
  verifyRecoveryCode: { request: { code: 'Ab3dE-fGh1j' }, data: { token, user: account } },
  passkeyCreationOptions: { data: creationOptions },
  addPasskey: {
    request: {
      name: 'Laptop',
      response: { id: 'AQ', rawId: 'AQ', type: 'public-key', response: {}, clientExtensionResults: {} },
    },
    data: passkey,
  },
  passkeyRequestOptions: { data: { challenge: 'x6Dh3wRkk0', rpId: 'kinora.example', userVerification: 'required' } },
  signInWithPasskey: {
    request: { response: { id: 'AQ', rawId: 'AQ', type: 'public-key', response: {}, clientExtensionResults: {} } },
    data: { session: { ...session, token }, user: account },
  },
  mailSignInLink: { request: { email: account.email }, data: { status: true } },
  signInWithLink: { data: { token, user: account } },
  listPasskeys: { data: [passkey] },
  deletePasskey: { request: { id: passkey.id }, data: { status: true } },
  signInWithProvider: {
    request: { provider: 'google', callbackURL: '/' },
    data: { url: 'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=x', redirect: true },
  },
  linkProvider: {
    request: { provider: 'google', callbackURL: '/account' },
    data: { url: 'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=x', redirect: true },
  },
  listAccounts: { data: [{ id: '01939b1e-4444-7000-8000-000000000001', providerId: 'google', createdAt }] },
  unlinkAccount: { request: { accountId: '01939b1e-4444-7000-8000-000000000001' }, data: { status: true } },
  getSession: { data: { session, user: account, credits } },
  updateUser: { request: { name: 'Anna' }, data: { status: true } },
  changePassword: {
    request: { currentPassword: password, newPassword: 'a paper boat in the rain', revokeOtherSessions: true },
    data: { token, user: account },
  },
  listSessions: { data: [session] },
  revokeSession: { request: { token: session.token }, data: { status: true } },
  revokeOtherSessions: { data: { status: true } },
  revokeSessions: { data: { status: true } },
  verifyPassword: { request: { password }, data: { status: true } },
  updateApiKey: { request: { keyId: apiKey.id, enabled: false }, data: { ...apiKey, enabled: false } },
  createApiKey: {
    request: { name: 'server', scopes: ['read', 'generate'], budget: { credits: 500, period: 'month' }, password },
    data: { ...apiKey, key: 'kin_FWSvPktLTZzGuUzqKiGUhWupTqwbfCwsAeTG' },
  },
  listApiKeys: { data: { apiKeys: [apiKey], total: 1 } },
  getKey: { data: ownKey },
  deleteApiKey: { request: { keyId: apiKey.id }, data: { success: true } },
  createUser: {
    request: { email: account.email, name: account.name, password, role: 'user' },
    data: { user: account },
  },
  updateUserAsAdmin: {
    request: { userId: account.id, data: { name: 'Anna' } },
    data: { ...account, name: 'Anna' },
  },
  setRole: { request: { userId: account.id, role: 'admin' }, data: { user: { ...account, role: 'admin' } } },
  setUserPassword: { request: { userId: account.id, newPassword: password }, data: { status: true } },
  banUser: {
    request: { userId: account.id, banReason: 'Chargebacks', banExpiresIn: 604_800 },
    data: {
      user: { ...account, banned: true, banReason: 'Chargebacks', banExpires: '2026-01-22T09:30:00.000Z' },
    },
  },
  unbanUser: { request: { userId: account.id }, data: { user: account } },
  listUserSessions: { request: { userId: account.id }, data: { sessions: [session] } },
  revokeUserSession: { request: { sessionToken: session.token }, data: { success: true } },
  revokeUserSessions: { request: { userId: account.id }, data: { success: true } },
  impersonateUser: {
    request: { userId: account.id },
    data: {
      session: { ...session, token, impersonatedBy: administrator.id, expiresAt: '2026-01-15T10:30:00.000Z' },
      user: account,
    },
  },
  stopImpersonating: { data: { session: { ...session, userId: administrator.id }, user: administrator } },
  hasPermission: { request: { permissions: { user: ['ban'] } }, data: { error: null, success: true } },
}
