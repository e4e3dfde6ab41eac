/** The slots of event streams in a child of `kinora api --processes`, whose primary replies late. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Channel } from '../../src/cluster/channel.ts'
import { openSharedSlots, openSlots, STREAMS_PER_USER } from '../../src/stream/slots.ts'

/** A primary and a child. While `isLate`, the child's questions fail, and `deliver` lets the primary read them. */
function openPair() {
  let handle: (body: unknown) => unknown = () => assert.fail('the primary handles nothing yet')
  const late: unknown[] = []
  openSharedSlots()({
    handle: (_topic, handler) => {
      handle = handler
    },
    ask: async () => null,
  })
  const pair = {
    isLate: false,
    deliver: () => {
      for (const body of late.splice(0)) handle(body)
    },
    slots: openSlots({
      handle: () => {},
      ask: async (_topic, body) => {
        if (!pair.isLate) return handle(body)
        late.push(body)
        throw new Error('the other process did not reply')
      },
    } satisfies Channel),
  }
  return pair
}

test('slots: the primary reads a child’s requests after their timeout → all slots are free when the streams have ended', async () => {
  const pair = openPair()
  pair.isLate = true
  const releases = await Promise.all(Array.from({ length: STREAMS_PER_USER }, () => pair.slots.acquire('ann')))
  assert.ok(releases.every((release) => release !== null))
  assert.equal(await pair.slots.acquire('ann'), null)
  pair.isLate = false
  pair.deliver()
  for (const release of releases) release?.()
  const again = await Promise.all(Array.from({ length: STREAMS_PER_USER }, () => pair.slots.acquire('ann')))
  assert.ok(again.every((release) => release !== null))
  assert.equal(await pair.slots.hasFree('ann'), false)
})

test('slots: one refused late → the streams that count stay counted', async () => {
  const pair = openPair()
  const counted = await Promise.all(Array.from({ length: STREAMS_PER_USER }, () => pair.slots.acquire('ann')))
  pair.isLate = true
  const late = await pair.slots.acquire('ann')
  pair.isLate = false
  pair.deliver()
  late?.()
  assert.equal(await pair.slots.acquire('ann'), null)
  counted[0]?.()
  assert.notEqual(await pair.slots.acquire('ann'), null)
})
