/** A value that is loaded at its first use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazy } from '../../src/async/lazy.ts'

test('lazy: uses at the same time and later → one load', async () => {
  let loads = 0
  const value = lazy(async () => ++loads)
  assert.deepEqual(await Promise.all([value(), value()]), [1, 1])
  assert.equal(await value(), 1)
})

test('lazy: load fails → every use of it throws, and the next use loads again', async () => {
  let loads = 0
  const value = lazy(async () => {
    loads += 1
    if (loads === 1) throw new Error('EMFILE: too many open files')
    return loads
  })
  const failed = await Promise.allSettled([value(), value()])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await value(), 2)
})
