/** Invariants of a run with processes: once all videos are final, database and storage have all acknowledged. */
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../server/src/app.ts'
import { verify } from '../../server/src/credit/verify.ts'
import { removeStaleTemporaryFiles, temporaryDir } from '../../server/src/storage/temporary-files.ts'
import { sweepOrphans } from '../../server/src/video/film-files.ts'
import type { Simulator } from '../../server/test/support/simulator.ts'
import type { Load, Team, User } from './load.ts'

type Video = {
  id: string
  userId: string
  madeBy: string | null
  status: string
  errorCode: string | null
  deletedAt: Date | null
  videoKey: string | null
  thumbnailKey: string | null
}

const HOUR_MS = 3_600_000

export async function checkInvariants(
  app: App,
  {
    load,
    users,
    team = null,
    simulator,
    drainMaxMs,
  }: { load: Load; users: User[]; team?: Team | null; simulator: Simulator; drainMaxMs: number },
): Promise<{ problems: string[]; facts: string[] }> {
  const { sql } = app
  const problems: string[] = []
  const waited = await drain(app, drainMaxMs)
  const videos = [
    ...(await sql<Video[]>`
      select id, user_id, made_by, status, error_code, deleted_at, video_key, thumbnail_key from kinora.video
    `),
  ]
  for (const { id, status } of videos) {
    if (!['COMPLETED', 'FAILED'].includes(status)) problems.push(`video ${id} is still ${status}`)
  }
  if (load.generated.size === 0 || load.paid.size === 0) problems.push('the load had no effect')
  const byId = new Map(videos.map((video) => [video.id, video]))
  for (const [key, ids] of load.generated) {
    if (ids.size > 1) problems.push(`the key ${key} was acknowledged with ${ids.size} videos`)
    for (const id of ids) if (!byId.has(id)) problems.push(`the acknowledged video ${id} is not there`)
  }
  for (const id of load.cancelled) {
    if (byId.get(id)?.errorCode !== 'CANCELLED') problems.push(`the cancelled video ${id} is ${byId.get(id)?.status}`)
  }
  for (const id of load.deleted) if (!byId.get(id)?.deletedAt) problems.push(`the deleted video ${id} is there`)

  const packages = await sql<{ userId: string; source: string; initial: number }[]>`
    select user_id, source, initial from kinora.credit_package where source like 'payment-%'
  `
  for (const [source, { userId, credits }] of load.paid) {
    const granted = packages.filter((each) => each.source === source)
    const isRight = granted.length === 1 && granted[0]?.userId === userId && granted[0].initial === credits
    if (!isRight) problems.push(`the payment ${source} was granted ${granted.length} times`)
  }
  if (new Set(packages.map(({ source }) => source)).size < packages.length) problems.push('a payment was granted twice')

  if (team) problems.push(...(await teamProblems(app, team, load, byId)))
  const tasks = await simulator.tasks()
  for (const [prompt, made] of Map.groupBy(tasks, (task) => task.prompt)) {
    if (made.length > 1)
      problems.push(
        `"${prompt}" was paid for ${made.length} times, at ${made.map(({ provider }) => provider).join(', ')}`,
      )
  }
  const providers = Map.groupBy(tasks, ({ provider }) => provider)
  for (const { subject, rule, expected, found } of await verify(app.database)) {
    problems.push(`ledger: ${subject}: ${rule}: expected ${expected}, found ${found}`)
  }
  const left = await sweepFiles(app, videos)
  problems.push(...left.problems)

  const count = (status: string) => videos.filter((each) => each.status === status).length
  const codes = new Map<string, number>()
  for (const { errorCode } of videos) if (errorCode) codes.set(errorCode, (codes.get(errorCode) ?? 0) + 1)
  return {
    problems,
    facts: [
      `${load.requests} requests of ${users.length} users, ${load.failures} without a response and sent again`,
      `${videos.length} videos: ${count('COMPLETED')} completed, ${count('FAILED')} failed (${[...codes].map(([code, n]) => `${code} ${n}`).join(', ') || 'none'})`,
      `${load.generated.size} generates, ${load.cancelled.size} cancellations, ${load.deleted.size} deletions, ${load.uploads} uploads and ${load.paid.size} payments were acknowledged`,
      ...(team
        ? [
            `${load.ofTeam.size} of the videos were made for a team by ${team.members.length} members with budgets, who were removed ${load.removals} times and came back ${load.returns} times`,
          ]
        : []),
      `tasks by provider: ${[...providers].map(([provider, made]) => `${provider} ${made.length}`).join(', ')}`,
      `${waited} videos whose submit has an unknown outcome waited for their deadline, which was moved to the end of the run`,
      `${left.temporary} temporary files of dead processes and ${left.orphans} stored files without a video were left for the sweep, which removed them`,
    ],
  }
}

/** A film of the team is its maker's, no member has spent more than the budget, and the owner is still there. */
async function teamProblems({ sql }: App, team: Team, load: Load, byId: Map<string, Video>): Promise<string[]> {
  const problems: string[] = []
  if (load.ofTeam.size === 0 || load.removals === 0 || load.returns === 0) problems.push('the team had no effect')
  for (const [id, memberId] of load.ofTeam) {
    const video = byId.get(id)
    if (video && (video.userId !== team.id || video.madeBy !== memberId))
      problems.push(`video ${id} of the team was made by ${video.madeBy} for ${video.userId}`)
  }
  const over = await sql<{ keyId: string; day: string; credits: number; budget: number }[]>`
    select u.key_id, u.day::text, u.credits, k.budget
    from kinora.api_key_usage u
    join kinora.api_key k on k.user_id = u.user_id and k.id = u.key_id
    where u.user_id = ${team.id} and u.credits > k.budget
  `
  for (const { keyId, day, credits, budget } of over)
    problems.push(`the member ${keyId} has spent ${credits} of ${budget} credits on ${day}`)
  const [owner] = await sql`
    select from kinora.team_member where team_id = ${team.id} and user_id = ${team.owner.userId} and role = 'owner'
  `
  if (!owner) problems.push('the team has lost its owner')
  return problems
}

/**
 * Waits until all videos are final. Those of which it is unknown after a minute whether the provider has the task get
 * the deadline now: a provider that can be asked would be asked for ten minutes. Returns their number.
 */
async function drain({ sql }: App, maxMs: number): Promise<number> {
  const endMs = Date.now() + maxMs
  let waited = 0
  while (Date.now() < endMs) {
    const moved = await sql`
      update kinora.video
      set deadline_at = now(), due_at = now()
      where status = 'PENDING' and submitted_at is not null and lease_id is null and deadline_at > now()
        and submitted_at < now() - interval '1 minute'
    `
    waited += moved.count
    const [open] = await sql<[{ videos: number }]>`select count(*) as videos from kinora.video where due_at is not null`
    if (open.videos === 0) return waited
    await sleep(1000)
  }
  return waited
}

/** Runs the sweeps of an hour later: then neither storage nor the temporary folder has more than the videos' files. */
async function sweepFiles(app: App, videos: Video[]) {
  const problems: string[] = []
  const { dataDir } = app.config
  const before = namesIn(temporaryDir(dataDir))
  const past = new Date(Date.now() - 2 * HOUR_MS)
  for (const name of before) utimesSync(path.join(temporaryDir(dataDir), name), past, past)
  await removeStaleTemporaryFiles(dataDir)
  for (const name of namesIn(temporaryDir(dataDir))) problems.push(`the temporary file ${name} is left`)

  const [{ orphans }] = await app.sql<[{ orphans: number }]>`select count(*) as orphans from kinora.video_file`
  await app.sql`update kinora.video_file set due_at = now() - interval '1 second'`
  while ((await sweepOrphans(app)) > 0);
  const expected = new Set(videos.flatMap(({ videoKey, thumbnailKey }) => [videoKey, thumbnailKey]))
  const stored = namesIn(path.join(dataDir, 'files/video')).flatMap((userId) =>
    namesIn(path.join(dataDir, 'files/video', userId)).map((name) => `video/${userId}/${name}`),
  )
  for (const key of stored) if (!expected.has(key)) problems.push(`the file ${key} belongs to no video`)
  for (const { id, videoKey, status } of videos) {
    if (status === 'COMPLETED' && videoKey && !stored.includes(videoKey))
      problems.push(`the film of video ${id} is not stored`)
  }
  return { problems, temporary: before.length, orphans }
}

const namesIn = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir) : [])
