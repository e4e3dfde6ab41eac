/** Examples of each operation, by operation id. A test validates each against the schemas of its route. */
import { exampleOf, exampleRequest } from '../../video/fields.ts'

const { uuid, model, createdAt } = exampleOf('list')
const sharePage = `https://kinora.example/share/${'q7Zk'.repeat(20)}`
const share = { url: sharePage, showsPrompt: false, createdAt }

export const examples: Record<string, { request?: unknown; data: unknown }> = {
  generateVideo: {
    request: exampleRequest,
    data: { uuid, status: 'PENDING', model, creditsUsed: 16, createdAt },
  },
  quoteVideo: {
    request: exampleRequest,
    data: { credits: 16, available: 60, affordable: true },
  },
  listVideos: { data: { videos: [exampleOf('list')], total: 1, page: 1, pageSize: 20, nextCursor: null } },
  getTask: { data: { ...exampleOf('task'), status: 'GENERATING', progress: 42 } },
  getVideo: { data: exampleOf('detail') },
  getShare: { data: { share } },
  shareVideo: { request: { showsPrompt: false }, data: { share } },
  revokeShare: { data: { share: null } },
  getSharedVideo: {
    data: {
      ...exampleOf('share'),
      prompt: null,
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
