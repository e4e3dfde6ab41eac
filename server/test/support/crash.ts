/**
 * Fixture: processes that are killed with SIGKILL at a named crash point, and what their videos have become. Videos are
 * made by a function of the test, for a user or for a team.
 */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Kinora } from './harness.ts'
import { type ServerProcess, startProcess } from './processes.ts'
import { readRow, waitFor } from './video-row.ts'

/**
 * The crash points of the worker, each with the sentinel in the prompt that leads to it, the final status, the number
 * of submits, and how many records of files the killed worker leaves to the sweep.
 */
export const workerPoints: Record<
  string,
  { sentinel?: string; status: 'COMPLETED' | 'FAILED'; submits: number; swept?: number }
> = {
  'submit.claimed': { status: 'COMPLETED', submits: 1 },
  // The row does not tell whether the task was sent, so it is not sent again: FAILED at the deadline, with no submit.
  'submit.intended': { status: 'FAILED', submits: 0 },
  // The provider's reply is lost with the worker; the callback reports the taskId and the result.
  'submit.answered': { status: 'COMPLETED', submits: 1 },
  'submit.recorded': { status: 'COMPLETED', submits: 1 },
  'poll.answered': { sentinel: '[lost]', status: 'COMPLETED', submits: 1 },
  'poll.recorded': { sentinel: '[lost]', status: 'COMPLETED', submits: 1 },
  'collect.claimed': { status: 'COMPLETED', submits: 1 },
  'collect.fetched': { status: 'COMPLETED', submits: 1 },
  'collect.inspected': { status: 'COMPLETED', submits: 1 },
  'collect.signed': { status: 'COMPLETED', submits: 1 },
  'collect.recorded': { status: 'COMPLETED', submits: 1, swept: 1 },
  'collect.film-stored': { status: 'COMPLETED', submits: 1, swept: 1 },
  'collect.thumbnail-stored': { status: 'COMPLETED', submits: 1, swept: 1 },
  'collect.settled': { status: 'COMPLETED', submits: 1 },
  'fail.decided': { sentinel: '[refuse: Not that.]', status: 'FAILED', submits: 0 },
  'fail.recorded': { sentinel: '[refuse: Not that.]', status: 'FAILED', submits: 0 },
}
/** `ownerId`: the user, or the team. */
export type CrashedVideo = { ownerId: string; uuid: string; prompt: string }

/** Perhaps with films of other files before it. */
const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 100 }

export function openCrashes(kinora: Kinora) {
  const { app, simulator } = kinora
  const started = new Set<ServerProcess>()
  after(() => {
    for (const { child } of started) child.kill('SIGKILL')
  })
  async function start(...[command, env]: [command: 'api' | 'worker' | 'all', env?: Record<string, string>]) {
    const server = await startProcess(kinora, command, env)
    started.add(server)
    server.ended.then(() => started.delete(server))
    return server
  }

  const tasksOf = async (prompt: string) => ((await simulator?.tasks()) ?? []).filter((task) => task.prompt === prompt)
  const isProviderDone = (prompt: string) => async () =>
    (await tasksOf(prompt)).every(({ state, ...task }) => {
      const { callbacksLeft } = task as unknown as { callbacksLeft: number }
      return /completed|failed/.test(state) && callbacksLeft === 0
    })

  /** Replaces waiting: expires the lease, makes the video due, passes an unknown submit's deadline. */
  async function makeDue({ ownerId, uuid }: Omit<CrashedVideo, 'prompt'>): Promise<void> {
    await app.sql`
      update kinora.video
      set due_at = now(),
          lease_until = now(),
          deadline_at = case when status = 'PENDING' and submitted_at is not null then now() else deadline_at end
      where user_id = ${ownerId} and id = ${uuid} and due_at is not null
    `
  }

  return {
    start,
    tasksOf,
    makeDue,
    /** Waits for the processes that run. */
    waitUntilFinal: async (video: CrashedVideo): Promise<void> => {
      await waitFor('the provider to be done', isProviderDone(video.prompt), LONG_WAIT)
      await makeDue(video)
      const isFinal = async () => {
        const { dueAt, status, leaseId } = await readRow(kinora, video.uuid)
        if (status === 'GENERATING' && leaseId === null) await makeDue(video)
        return dueAt === null
      }
      await waitFor('a final status', isFinal, LONG_WAIT)
    },
    /** Creates a video, kills its worker at the point, and keeps others from claiming it until `makeDue`. */
    killWorkerAt: async (
      point: string,
      ownerId: string,
      generate: (film: { model: string; quality: string; prompt: string }) => Promise<{ data: { uuid: string } }>,
    ): Promise<CrashedVideo> => {
      const prompt = `A paper boat at ${point} ${workerPoints[point]?.sentinel ?? ''}`.trim()
      const crashing = await start('worker', { KINORA_CRASH_AT: point })
      const { data } = await generate({ model: 'alpha-2', quality: '480p', prompt })
      const video = { ownerId, uuid: data.uuid, prompt }
      if (point.startsWith('poll.')) {
        await waitFor('the task', async () => (await readRow(kinora, data.uuid)).status === 'GENERATING')
        await waitFor('the provider to be done', isProviderDone(prompt))
        await makeDue(video)
      }
      assert.equal(await crashing.ended, 'SIGKILL')
      await waitFor('the provider to be done', isProviderDone(prompt))
      await app.sql`
        update kinora.video set due_at = now() + interval '1 day'
        where user_id = ${ownerId} and id = ${data.uuid} and due_at is not null
      `
      return video
    },
  }
}
