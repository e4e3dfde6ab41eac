/** Examples of each operation, by operation id. A test validates each against the schemas of its route. */
import { adminExamples } from './examples-admin.ts'
import { authExamples } from './examples-auth.ts'
import { mailExamples } from './examples-mail.ts'
import { webhookExamples } from './examples-webhook.ts'

const uuid = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const createdAt = '2026-01-15T09:30:00.000Z'
const link = (extension: string) =>
  `https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/${uuid}.${extension}?exp=1768555800&sig=…`

const listItem = {
  uuid,
  prompt: 'A paper boat in a rain gutter, dawn',
  model: 'delta-1-5',
  status: 'COMPLETED',
  videoUrl: link('mp4'),
  thumbnailUrl: link('jpg'),
  duration: 4,
  aspectRatio: '16:9',
  creditsUsed: 16,
  createdAt,
  completedAt: '2026-01-15T09:30:48.000Z',
}

const sharePage = `https://kinora.example/share/${'q7Zk'.repeat(20)}`
const share = { url: sharePage, showsPrompt: false, createdAt }

const paymentEvent = {
  id: '01939b1e-8888-7000-8000-000000000001',
  processor: 'payment-b',
  externalId: 'evt_01',
  type: 'invoice.payment_succeeded',
  state: 'applied',
  reason: null,
  userId: '01939b1e-1111-7aaa-8bbb-000000000001',
  receivedAt: createdAt,
  appliedAt: createdAt,
  retryAt: null,
  dismissedAt: null,
  dismissedReason: null,
}

const history = {
  data: {
    transactions: [
      {
        id: '01939b1e-5d6b-7000-8000-000000000001',
        transNo: 'K7Q2-9MFX-4T',
        transType: 'VIDEO_CONSUME',
        credits: -16,
        balanceAfter: 44,
        videoUuid: uuid,
        orderNo: null,
        remark: 'delta-1-5, 4 s',
        state: 'settled',
        createdAt,
        n: 2,
        packageId: null,
        source: null,
        expiresAt: null,
        graces: null,
        actorId: null,
        hash: '9f2c6f5d0b1e4a7c8d3e5f60718293a4b5c6d7e8f90123456789abcdef012345',
      },
    ],
    total: 1,
    page: 1,
    pageSize: 20,
    nextCursor: null,
  },
}
export const examples: Record<string, { request?: unknown; data: unknown }> = {
  generateVideo: {
    request: { prompt: 'A paper boat in a rain gutter, dawn', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
    data: { uuid, status: 'PENDING', model: 'delta-1-5', creditsUsed: 16, createdAt },
  },
  streamVideoEvents: {
    data: [
      'retry: 1500\nevent: mark\nid: 1768469400000\ndata: {}\n',
      `event: video\nid: 1768469400250\ndata: {"uuid":"${uuid}","status":"GENERATING","progress":40,"error":null}\n`,
      `event: deleted\nid: 1768469400500\ndata: {"uuid":"${uuid}"}\n\n`,
    ].join('\n'),
  },
  quoteVideo: {
    request: { prompt: 'A paper boat in a rain gutter, dawn', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
    data: { credits: 16, available: 60, affordable: true },
  },
  uploadImage: {
    data: {
      url: 'https://kinora.example/files/image/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-2222-7aaa-8bbb-000000000001.jpg?exp=1768566600&sig=…',
      width: 4096,
      height: 3072,
      sizeBytes: 2481022,
      contentType: 'image/jpeg',
      expiresAt: '2026-01-16T12:30:00.000Z',
    },
  },
  listVideos: { data: { videos: [listItem], total: 1, page: 1, pageSize: 20, nextCursor: null } },
  getTask: { data: { uuid, status: 'GENERATING', progress: 42, error: null } },
  getVideo: {
    data: {
      ...listItem,
      provider: 'provider-b',
      startImageUrl: null,
      resolution: '720p',
      fileSize: 1834022,
      generationTime: 41.3,
      error: null,
    },
  },
  getShare: { data: { share } },
  shareVideo: { request: { showsPrompt: false }, data: { share } },
  revokeShare: { data: { share: null } },
  getSharedVideo: {
    data: {
      prompt: null,
      model: 'delta-1-5',
      duration: 4,
      aspectRatio: '16:9',
      videoUrl: `${sharePage}/film.mp4`,
      thumbnailUrl: `${sharePage}/thumbnail.jpg`,
    },
  },
  cancelVideo: {
    data: { uuid, status: 'FAILED', progress: 0, error: 'Cancelled before it began; your credits are back.' },
  },
  deleteVideo: { data: { uuid, deleted: true } },
  listSignInOptions: { data: { providers: [{ id: 'google', name: 'Google' }], link: true, captcha: null } },
  listModels: {
    data: {
      models: [
        {
          id: 'delta-1-5',
          name: 'Delta 1.5',
          provider: 'Delta Motion',
          modes: ['text-to-video', 'image-to-video'],
          minDuration: 4,
          maxDuration: 12,
          resolutions: ['720p', '1080p'],
          aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
          pricing: { per: 'second', credits: { '720p': 4, '1080p': 8 } },
          enabled: true,
        },
      ],
    },
  },
  getBalance: { data: { available: 44, frozen: 0, used: 16, total: 60, expiringSoon: 0 } },
  listPackages: {
    data: {
      packages: [
        {
          id: '01939b1e-5d6c-7000-8000-000000000001',
          transType: 'NEW_USER',
          initial: 60,
          remaining: 28,
          frozen: 16,
          orderNo: null,
          expiresAt: '2026-02-14T09:30:00.000Z',
          createdAt,
        },
      ],
    },
  },
  listTransactions: history,
  listUserTransactions: history,
  addCredits: {
    request: { credits: 100, expiryDays: 30, remark: 'Sorry for the outage' },
    data: { credits: 100, userId: '01939b1e-1111-7aaa-8bbb-000000000001', expiryDate: '2026-02-14T09:30:00.000Z' },
  },
  receiveCallback: { data: { received: true } },
  listPlans: {
    data: {
      products: [
        {
          id: 'pro-monthly',
          name: 'Pro, monthly',
          kind: 'subscription',
          credits: 960,
          period: 'month',
          validDays: null,
          price: { cents: 2990, currency: 'USD' },
        },
      ],
      processors: ['payment-a', 'payment-b'],
    },
  },
  startCheckout: {
    request: { productId: 'pro-monthly' },
    data: { url: 'https://checkout.example/c/pay/cs_01' },
  },
  openPortal: { data: { url: 'https://billing.example/p/session/01' } },
  getSubscription: {
    data: {
      subscription: {
        id: '01939b1e-7777-7000-8000-000000000001',
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        processor: 'payment-b',
        externalId: 'sub_01',
        plan: 'pro-monthly',
        status: 'active',
        currentPeriodStart: createdAt,
        currentPeriodEnd: '2026-02-15T09:30:00.000Z',
        cancelAtPeriodEnd: false,
        cancelledAt: null,
        createdAt,
        updatedAt: createdAt,
      },
    },
  },
  listPaymentEvents: {
    data: {
      events: [
        {
          ...paymentEvent,
          effects: ['Gives 960 credits (Pro), good until 2026-02-15.'],
          body: '{"id":"evt_01","type":"invoice.payment_succeeded"}',
        },
      ],
      total: 1,
      pageSize: 20,
      nextCursor: null,
    },
  },
  dismissPaymentEvent: {
    request: { reason: 'Sold by another shop of this account' },
    data: {
      ...paymentEvent,
      state: 'dismissed',
      reason: 'It names no user we know.',
      userId: null,
      appliedAt: null,
      dismissedAt: createdAt,
      dismissedReason: 'Sold by another shop of this account',
    },
  },
  applyPaymentEvent: { request: { userId: '01939b1e-1111-7aaa-8bbb-000000000001' }, data: paymentEvent },
  deleteAccount: {
    request: { password: 'correct horse battery' },
    data: { userId: '01939b1e-1111-7aaa-8bbb-000000000001', deleted: true },
  },
  ...authExamples,
  ...adminExamples,
  ...webhookExamples,
  ...mailExamples,
}
