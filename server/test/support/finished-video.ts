/** A completed video, its deletion, and its files in storage. */
import assert from 'node:assert/strict'
import { completedVideo } from './completed-video.ts'
import type { Kinora, Person } from './harness.ts'
import { filesOf } from './video-row.ts'

export type FinishedVideo = { ann: Person; uuid: string }

export async function finishedVideo(kinora: Kinora): Promise<FinishedVideo> {
  const ann = await kinora.person()
  return { ann, uuid: await completedVideo(kinora, ann) }
}

export async function deleteVideo(kinora: Kinora, { ann, uuid }: FinishedVideo): Promise<void> {
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
}

export const storedOf = (kinora: Kinora, { ann, uuid }: FinishedVideo) => filesOf(kinora, ann.userId, uuid).stored
