/**
 * Users who generate all shots of a project by one request: those without a place among their videos in progress wait,
 * while faults happen to the process that is to begin them.
 */
import type { ApiResponse, Call } from './api.ts'
import type { Database } from './database.ts'
import { type Scheduler, START_MS } from './scheduler.ts'
import { short } from './statement.ts'

/** `prompts`: of its shots. `acknowledged`: the ids of videos that responses with 200 named, in their order. */
export type Generation = { userId: string; prompts: string[]; acknowledged: Set<string> }

const TRIES = 6

/** Lets some users generate a project, until a response is no failure of the service. */
export async function generateProjects(
  scheduler: Scheduler,
  call: Call,
  { sql }: Database,
  userIds: readonly string[],
): Promise<{ generations: Generation[]; pending: () => number }> {
  const { random } = scheduler
  const generations: Generation[] = []
  let pending = 0

  const generate = async (projectId: string, generation: Generation): Promise<void> => {
    const { userId, acknowledged } = generation
    await scheduler.sleep(random.between(0, 30_000))
    for (let n = 1; n <= TRIES; n++) {
      const noted = ({ status, data }: ApiResponse) => {
        if (status === 200) acknowledged.add((data.videos as { uuid: string }[]).map(({ uuid }) => uuid).join())
      }
      const request = {
        ...{ method: 'POST', path: `/api/v1/project/${projectId}/generate`, userId, body: '{}' },
        headers: { 'content-type': 'application/json', 'idempotency-key': 'all shots' },
      }
      const response = await call(request, noted)
      scheduler.trace(`user ${short(userId)}`, `generates all shots → ${response?.status ?? 'no response'}`)
      if (response && response.status < 500) return
      await scheduler.sleep(random.between(100, 2_000 * 2 ** n))
    }
  }

  for (const userId of userIds) {
    const prompts = Array.from({ length: random.int(2, 5) }, (_, n) => `Shot ${n + 1}`)
    const id = random.uuid()
    const shots = prompts.map((prompt) => ({
      id: random.uuid(),
      settings: { prompt, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
    }))
    await sql`
      select kinora.project_make(
        p_user_id => ${userId}, p_project => ${JSON.stringify({ id, name: 'A film', aspect_ratio: '16:9', fit: 'fit' })}::text::jsonb,
        p_shots => ${JSON.stringify(shots)}::text::jsonb, p_made_by => ${userId}, p_max => 1, p_now => ${new Date(START_MS)}
      )
    `
    const generation = { userId, prompts, acknowledged: new Set<string>() }
    generations.push(generation)
    pending++
    generate(id, generation).finally(() => {
      pending--
    })
  }
  return { generations, pending: () => pending }
}
