/**
 * A worker of `bench/claims.ts`: the real claim loop, leases and SQL functions, with a provider that accepts every task at once and
 * never finishes one. It starts at a message and reports how many videos it has claimed.
 */
import { openApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config/config.ts'
import { openLog } from '../server/src/process/log.ts'
import type { Provider } from '../server/src/provider/provider.ts'
import { catalogue, providersOf } from '../server/src/video/catalogue.ts'
import { runStep } from '../server/src/video/lifecycle.ts'
import { startWorker, type Worker } from '../server/src/worker/worker.ts'

const REPORT_EVERY_MS = 20

const config = readConfig(process.env, providersOf(catalogue()))
const app = await openApp(config, openLog(config))
for (const name of app.providers.keys()) app.providers.set(name, busyProvider(name))
await app.sql`select`
let claimed = 0
let worker: Worker | null = null
let timer: NodeJS.Timeout | undefined

process.on('message', async (message: 'start' | 'stop') => {
  if (message === 'start') {
    worker = startWorker(app, async (_app, work) => {
      claimed += 1
      await runStep(app, work)
    })
    timer = setInterval(() => process.send?.(claimed), REPORT_EVERY_MS)
    return
  }
  clearInterval(timer)
  await worker?.stop()
  await app.close()
  process.send?.(claimed, () => process.disconnect())
})
process.on('disconnect', () => process.exit())
process.send?.(claimed)

function busyProvider(name: string): Provider {
  return {
    name,
    submit: async (task) => ({ kind: 'accepted', taskId: `task-${task.videoId}` }),
    poll: async () => ({ kind: 'running', progress: null }),
    readCallback: () => null,
    close: async () => {},
  }
}
