/**
 * The set-based calls of a process, each behind its combiner: see server/sql/video_generate.sql and video_apply.sql. The typed
 * functions in front of them are in video/transitions.ts.
 */
import type { Query } from '../db.ts'
import { Combiner } from './combiner.ts'

/** A request as JSON has it, with the attribute names of the SQL type. */
export type SetRequest = { user_id: string; id: string } & Record<string, unknown>
/** A row of video_generate_all. */
export type GenerateRow = {
  outcome: string
  available: number | null
  id: string | null
  model: string | null
  credits: number | null
  createdAt: Date | null
}
export type SetCalls = { generate: Combiner<GenerateRow>; apply: Combiner<string> }

export const openSetCalls = (sql: Query): SetCalls => ({
  generate: new Combiner({ name: 'generate requests', call: (requests, now) => generateAll(sql, requests, now) }),
  apply: new Combiner({ name: 'steps of videos', call: (steps, now) => applyAll(sql, steps, now) }),
})

/** @param requests a JSON array of kinora.generate_request */
export async function generateAll(sql: Query, requests: string, now: Date): Promise<GenerateRow[]> {
  return await sql<GenerateRow[]>`
    select outcome, available, id, model, credits, created_at
    from kinora.video_generate_all(p_requests => ${requests}::text::jsonb, p_now => ${now})
  `
}

/** @param steps a JSON array of kinora.video_step */
export async function applyAll(sql: Query, steps: string, now: Date): Promise<string[]> {
  const [row] = await sql<[{ outcomes: string[] }]>`
    select kinora.video_apply(p_steps => ${steps}::text::jsonb, p_now => ${now}) as outcomes
  `
  return row.outcomes
}
