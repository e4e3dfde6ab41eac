/** Examples of the operations of mail, by operation id. Those under /api/auth have the whole response as `data`. */
const createdAt = '2026-01-15T09:30:00.000Z'
const token = 'q0Tz4mXw2VJ8kL1nB7yRfC3d'
const status = { status: true }

const mail = {
  id: '01939b1e-7777-7000-8000-000000000001',
  kind: 'credit.low',
  userId: '01939b1e-1111-7aaa-8bbb-000000000001',
  to: 'ann@example.com',
  subject: 'Your Kinora credits are running low',
  status: 'failed',
  attempts: 1,
  response: '550 no such mailbox here',
  createdAt,
  attemptedAt: createdAt,
  nextAttemptAt: null,
  expiresAt: '2026-01-18T09:30:00.000Z',
  canRetry: true,
}
const notices = {
  'credit.low': true,
  'credit.expiring': true,
  'payment.failed': true,
  'video.done': false,
  'webhook.disabled': true,
}

export const mailExamples: Record<string, { request?: unknown; data?: unknown }> = {
  requestPasswordReset: { request: { email: 'ann@example.com' }, data: status },
  resetPassword: { request: { token, newPassword: 'correct horse battery staple' }, data: status },
  sendVerificationEmail: { request: { email: 'ann@example.com' }, data: status },
  verifyEmail: { data: status },
  changeEmail: { request: { newEmail: 'ann@example.org', password: 'correct horse battery staple' }, data: status },
  getNotices: { data: { isMailSetUp: true, notices } },
  setNotices: {
    request: { 'video.done': true },
    data: { isMailSetUp: true, notices: { ...notices, 'video.done': true } },
  },
  unsubscribe: { data: { notice: 'credit.low' } },
  listMails: { data: { isMailSetUp: true, mails: [mail], pageSize: 20, nextCursor: null } },
  getMail: {
    data: { ...mail, text: '44 credits left\n\nYou asked for a mail when fewer than 50 credits are available.' },
  },
  retryMail: { data: { id: mail.id } },
}
