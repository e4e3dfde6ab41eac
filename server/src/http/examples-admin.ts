/** Examples of the administrators' operations, by operation id. */
const uuid = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const createdAt = '2026-01-15T09:30:00.000Z'
const user = {
  id: '01939b1e-1111-7aaa-8bbb-000000000001',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'user',
  createdAt,
  deletedAt: null,
  banned: false,
  credits: { available: 44, frozen: 16, used: 0, total: 60, owed: 0 },
}

export const adminExamples = {
  listUsers: { data: { users: [user], total: 1, pageSize: 20, nextCursor: null } },
  getUser: { data: { ...user, banReason: null, banExpires: null, inProgress: 1 } },
  deleteUser: {
    request: { reason: 'Asked for it by e-mail' },
    data: { userId: user.id, deleted: true },
  },
  takeCredits: {
    request: { userId: user.id, credits: 40, reason: 'Granted twice by mistake' },
    data: {
      userId: user.id,
      credits: 40,
      available: { before: 44, after: 4 },
      packages: [{ id: '01939b1e-2222-7aaa-8bbb-000000000002', credits: 40, expiresAt: '2026-02-14T09:30:00.000Z' }],
      dryRun: false,
    },
  },
  reverseExpiry: {
    request: {
      userId: user.id,
      packageId: '01939b1e-2222-7aaa-8bbb-000000000002',
      reason: 'Written off by a worker with a wrong clock',
    },
    data: {
      userId: user.id,
      packageId: '01939b1e-2222-7aaa-8bbb-000000000002',
      credits: 44,
      expiryDate: '2026-02-14T09:30:00.000Z',
      dryRun: false,
    },
  },
  checkLedger: {
    data: {
      id: '01939b1e-2222-7aaa-8bbb-000000000009',
      state: 'running',
      startedAt: createdAt,
      finishedAt: null,
      usersTotal: 1240,
      users: 0,
      differences: [],
      total: 0,
      error: null,
    },
  },
  getLedgerChecks: {
    data: {
      running: null,
      last: {
        id: '01939b1e-2222-7aaa-8bbb-000000000009',
        state: 'finished',
        startedAt: createdAt,
        finishedAt: createdAt,
        usersTotal: 1240,
        users: 1240,
        differences: [],
        total: 0,
        error: null,
      },
    },
  },
  listAudit: {
    data: {
      entries: [
        {
          id: uuid,
          createdAt,
          action: 'credits.take',
          actorId: '01939b1e-1111-7aaa-8bbb-000000000009',
          actorEmail: 'root@example.com',
          userId: user.id,
          userEmail: user.email,
          subject: null,
          before: { available: 44, frozen: 16, used: 0, expired: 0, clawedBack: 0, total: 60 },
          after: {
            available: 4,
            frozen: 16,
            used: 0,
            expired: 0,
            clawedBack: 40,
            total: 60,
            credits: 40,
            packages: [['01939b1e-2222-7aaa-8bbb-000000000002', 40, 1771061400000]],
          },
          requestId: '01939b1e-3333-7aaa-8bbb-000000000001',
          reason: 'Granted twice by mistake',
        },
      ],
      total: 1,
      pageSize: 20,
      nextCursor: null,
    },
  },
  listUnfinishedVideos: {
    data: {
      videos: [
        {
          uuid,
          userId: user.id,
          email: user.email,
          model: 'delta-1-5',
          status: 'GENERATING',
          provider: 'provider-b',
          providerTaskId: 'task_01',
          attempt: 4,
          progress: 42,
          createdAt,
          submittedAt: createdAt,
          acceptedAt: createdAt,
          dueAt: '2026-01-15T09:30:31.000Z',
          leaseUntil: null,
          deadlineAt: '2026-01-15T09:45:00.000Z',
          isOverdue: false,
          why: 'Waiting for provider-b (42 %); asked again at 09:30:31 UTC, given up at 09:45:00 UTC.',
          lastEvent: { event: 'accepted', detail: 'provider-b task_01', at: createdAt },
        },
      ],
      total: 1,
      counts: { inProgress: 1, overdue: 0 },
      pageSize: 20,
      nextCursor: null,
    },
  },
  listProviders: {
    data: {
      providers: [
        {
          id: 'provider-b',
          configured: true,
          models: ['delta-1-5'],
          inProgress: 3,
          waiting: 0,
          succeeded: 117,
          failed: 2,
          refused: 1,
          failureShare: 0.017,
          medianSeconds: 41.3,
          lastSuccessAt: createdAt,
          lastFailureAt: '2026-01-15T08:58:11.000Z',
          lastFailureReason: 'no connection',
        },
      ],
      windowSeconds: 3600,
      checkedAt: createdAt,
    },
  },
}
