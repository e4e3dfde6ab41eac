/** Examples of each operation, by operation id. A test validates each against the schemas of its route. */

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

export const examples: Record<string, { request?: unknown; data: unknown }> = {
  generateVideo: {
    request: { prompt: 'A paper boat in a rain gutter, dawn', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
    data: { uuid, status: 'PENDING', model: 'delta-1-5', creditsUsed: 16, createdAt },
  },
  quoteVideo: {
    request: { prompt: 'A paper boat in a rain gutter, dawn', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
    data: { credits: 16, available: 60, affordable: true },
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
}
