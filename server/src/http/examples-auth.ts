/** Examples of the operations under /api/auth, by operation id: `data` is the whole response, without an envelope. */
const createdAt = '2026-01-15T09:30:00.000Z'
const account = {
  id: '01939b1e-1111-7aaa-8bbb-000000000001',
  name: 'Ann',
  email: 'ann@example.com',
  emailVerified: false,
  image: null,
  role: 'user',
  banned: false,
  banReason: null,
  banExpires: null,
  createdAt,
  updatedAt: createdAt,
}
const session = {
  id: '01939b1e-2222-7000-8000-000000000001',
  userId: account.id,
  token: 'oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL',
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  impersonatedBy: null,
  createdAt,
  updatedAt: createdAt,
  expiresAt: '2026-02-14T09:30:00.000Z',
}
const apiKey = {
  id: '01939b1e-3333-7000-8000-000000000001',
  name: 'server',
  start: 'kin_FWSvPk',
  enabled: true,
  lastRequest: null,
  expiresAt: null,
  createdAt,
}
const credits = { available: 60, frozen: 0, used: 0, total: 60, expiringSoon: 0 }
const password = 'correct horse battery'

export const authExamples = {
  signUp: {
    request: { name: 'Ann', email: account.email, password },
    data: { token: session.token, user: account },
  },
  signIn: {
    request: { email: account.email, password },
    data: { redirect: false, token: session.token, user: account },
  },
  signOut: { data: { success: true } },
  getSession: { data: { session, user: account, credits } },
  updateUser: { request: { name: 'Anna' }, data: { status: true } },
  changePassword: {
    request: { currentPassword: password, newPassword: 'a paper boat in the rain', revokeOtherSessions: true },
    data: { token: session.token, user: account },
  },
  listSessions: { data: [session] },
  revokeSession: { request: { token: session.token }, data: { status: true } },
  revokeOtherSessions: { data: { status: true } },
  createApiKey: { request: { name: 'server' }, data: { ...apiKey, key: 'kin_FWSvPktLTZzGuUzqKiGUhWupTqwbfCwsAeTG' } },
  listApiKeys: { data: { apiKeys: [apiKey], total: 1 } },
  deleteApiKey: { request: { keyId: apiKey.id }, data: { success: true } },
}
