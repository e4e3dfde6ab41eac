/** A completed video, its deletion, and its files in storage. */
import assert from 'node:assert/strict'
import type { Kinora, Person } from './harness.ts'
import { filesOf } from './video-row.ts'

export type FinishedVideo = { ann: Person; uuid: string }

export async function finishedVideo(kinora: Kinora): Promise<FinishedVideo> {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  return { ann, uuid: data.uuid }
}

export async function deleteVideo(kinora: Kinora, { ann, uuid }: FinishedVideo): Promise<void> {
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
}

export const storedOf = (kinora: Kinora, { ann, uuid }: FinishedVideo) => filesOf(kinora, ann.userId, uuid).stored
