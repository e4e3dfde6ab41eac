/** The fair semaphore of media work, by the sequence in which callers get a permit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { openSemaphore, QueueFullError, type Semaphore } from '../../src/async/semaphore.ts'

/** Queues one job for each name, `ann1` for the user `ann`; `end` ends a running job. */
function jobs(semaphore: Semaphore, names: string[]) {
  const started: string[] = []
  const running = new Map<string, () => void>()
  for (const name of names) {
    void semaphore.acquire(name.slice(0, 3)).then((release) => {
      started.push(name)
      running.set(name, release)
    })
  }
  const end = async (name: string) => {
    running.get(name)?.()
    running.delete(name)
    await settle()
  }
  return { started, end, running: () => [...running.keys()] }
}

test('semaphore: one user queues eight jobs → one runs at a time, and a permit stays free for another user', async () => {
  const semaphore = openSemaphore({ permits: 2, queuedMax: 100 })
  const ann = jobs(semaphore, ['ann1', 'ann2', 'ann3', 'ann4', 'ann5', 'ann6', 'ann7', 'ann8'])
  await settle()
  assert.deepEqual(ann.started, ['ann1'])
  const bob = jobs(semaphore, ['bob1'])
  await settle()
  assert.deepEqual(bob.started, ['bob1'])
  await bob.end('bob1')
  assert.deepEqual(ann.started, ['ann1'])
  await ann.end('ann1')
  assert.deepEqual(ann.started, ['ann1', 'ann2'])
})

test('semaphore: three users queue → permits round robin, however many each has queued', async () => {
  const semaphore = openSemaphore({ permits: 2, queuedMax: 100 })
  const all = jobs(semaphore, ['ann1', 'ann2', 'ann3', 'bob1', 'bob2', 'cid1'])
  await settle()
  for (const name of ['ann1', 'bob1', 'cid1', 'ann2', 'bob2', 'ann3']) await all.end(name)
  assert.deepEqual(all.started, ['ann1', 'bob1', 'cid1', 'ann2', 'bob2', 'ann3'])
  assert.equal(semaphore.waiting().callers, 0)
})

test('semaphore: several permits → the user who holds the fewest is next', async () => {
  const semaphore = openSemaphore({ permits: 4, queuedMax: 100 })
  const all = jobs(semaphore, ['ann1', 'ann2', 'ann3', 'ann4', 'bob1', 'bob2', 'bob3'])
  await settle()
  assert.deepEqual(all.started, ['ann1', 'ann2', 'ann3', 'bob1'])
  await all.end('ann1')
  // Bob holds one, Ann two.
  assert.deepEqual(all.started.at(-1), 'bob2')
})

test('semaphore: three users wait → the one who came first is next, and its wait is the longest', async () => {
  const semaphore = openSemaphore({ permits: 1, queuedMax: 9 })
  const all = jobs(semaphore, ['ann1', 'cid1', 'bob1'])
  await settle()
  assert.equal(semaphore.waiting().callers, 2)
  const before = semaphore.waiting().oldestS
  assert.ok(before > 0)
  await all.end('ann1')
  assert.deepEqual(all.started, ['ann1', 'cid1'])
  await all.end('cid1')
  assert.deepEqual(semaphore.waiting(), { callers: 0, oldestS: 0 })
})

test('semaphore: queue full → QueueFullError at once; an ended job makes room', async () => {
  const semaphore = openSemaphore({ permits: 1, queuedMax: 2 })
  const all = jobs(semaphore, ['ann1', 'ann2', 'bob1'])
  await settle()
  await assert.rejects(semaphore.acquire('cid'), QueueFullError)
  await all.end('ann1')
  const cid = jobs(semaphore, ['cid1'])
  await settle()
  assert.equal(semaphore.waiting().callers, 2)
  for (const name of ['bob1', 'ann2']) await all.end(name)
  assert.deepEqual(all.started, ['ann1', 'bob1', 'ann2'])
  await settle()
  assert.deepEqual(cid.started, ['cid1'])
})

test('semaphore: one user fills the queue → refused beyond half of it; another user finds room', async () => {
  const semaphore = openSemaphore({ permits: 2, queuedMax: 4 })
  jobs(semaphore, ['ann1', 'ann2', 'ann3'])
  await settle()
  await assert.rejects(semaphore.acquire('ann'), QueueFullError)
  const bob = jobs(semaphore, ['bob1', 'bob2'])
  await settle()
  assert.deepEqual([bob.started, semaphore.waiting().callers], [['bob1'], 3])
})

test('semaphore: aborted while queued → rejects with the reason and leaves the queue', async () => {
  const semaphore = openSemaphore({ permits: 1, queuedMax: 2 })
  const release = await semaphore.acquire('ann')
  const abort = new AbortController()
  const waiting = semaphore.acquire('bob', abort.signal)
  abort.abort(new Error('gone'))
  await assert.rejects(waiting, { message: 'gone' })
  assert.equal(semaphore.waiting().callers, 0)
  release()
  release()
  // A second release of one permit adds none.
  const again = await semaphore.acquire('bob')
  const next = jobs(semaphore, ['cid1'])
  await settle()
  assert.deepEqual(next.started, [])
  again()
  await settle()
  assert.deepEqual(next.started, ['cid1'])
})

test('semaphore: wait beyond its limit → QueueFullError, and the place is free; who holds a permit keeps it', async () => {
  const semaphore = openSemaphore({ permits: 1, queuedMax: 2, waitMaxMs: 1 })
  const release = await semaphore.acquire('ann')
  await assert.rejects(semaphore.acquire('bob'), QueueFullError)
  assert.equal(semaphore.waiting().callers, 0)
  const cid = semaphore.acquire('cid')
  release()
  const last = await cid
  await assert.rejects(semaphore.acquire('ann'), QueueFullError)
  last()
})
