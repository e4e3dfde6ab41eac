/**
 * A worker process like `kinora worker`, with its real claim loop, leases and SQL functions, a stub provider that
 * responds at once and a stub storage that stores nothing. A video then takes three steps: submit, poll, complete.
 */
import { openApp } from '../server/src/app.ts'
import { checkRoutes, everyModel } from '../server/src/catalogue/catalogue.ts'
import { readConfig } from '../server/src/config/config.ts'
import type { InspectedFilm } from '../server/src/media/film/inspect.ts'
import { openLog } from '../server/src/process/log.ts'
import { accounts } from '../server/src/provider/accounts.ts'
import { adapter } from '../server/src/provider/adapter/provider-a.ts'
import type { OpenProvider } from '../server/src/provider/open.ts'
import { storeAndComplete } from '../server/src/video/collect.ts'
import { runStep } from '../server/src/video/lifecycle.ts'
import { startWorker } from '../server/src/worker/worker.ts'

export type Job = { videos: number }
export type LifecycleResult = { steps: number; seconds: number; cpuUs: number }

const film: InspectedFilm = {
  codec: 'avc',
  contentType: 'video/mp4',
  extension: 'mp4',
  sizeBytes: 1_000_000,
  durationS: 4,
  width: 1280,
  height: 720,
  thumbnail: { width: 640, height: 360, sizeBytes: 20_000 },
}

process.once('message', async ({ videos }: Job) => {
  const config = readConfig(process.env, accounts())
  // At the start, as the server does.
  await checkRoutes(everyModel(), config)
  const app = await openApp(config, openLog(config))
  const provider = instantProvider()
  app.providers = { ...app.providers, open: async () => provider }
  app.storage = { ...app.storage, put: async () => {} }

  let steps = 0
  let completed = 0
  const allDone = Promise.withResolvers<void>()
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const worker = startWorker(app, {
    run: async (_app, work) => {
      const isCompletion = work.video.status === 'UPLOADING'
      await (isCompletion
        ? storeAndComplete(app, work, { film, file: '', thumbnailFile: '', plan: null })
        : runStep(app, work))
      steps += 1
      if (isCompletion) completed += 1
      if (completed === videos) allDone.resolve()
    },
  })
  await allDone.promise
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(startCpu)
  await worker.stop()
  await app.close()
  process.send?.({ steps, seconds, cpuUs: (user + system) / steps } satisfies LifecycleResult)
})

function instantProvider(): OpenProvider {
  return {
    adapter,
    url: '',
    resultHeaders: {},
    takesCallback: () => true,
    limits: {},
    submit: async (task) => ({ kind: 'accepted', handle: { taskId: `task-${task.videoId}` } }),
    poll: async ({ taskId }) => ({ kind: 'completed', result: `https://films.example/${taskId}.mp4` }),
    close: async () => {},
  }
}
