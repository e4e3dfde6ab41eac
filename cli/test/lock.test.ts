/** The lock of a data folder: held while its holder lives, free the moment it does not. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { lockHolder, takeLock } from '../src/lock.ts'
import { folder, namesIn } from './cli-process.ts'

test('a living holder is named, and its lock is not taken', (t) => {
  const file = path.join(folder(t), 'lock')
  const lock = takeLock(file, 'the first')
  assert.ok('release' in lock)
  const other = takeLock(file, 'the second')
  assert.ok('pid' in other)
  assert.deepEqual([other.pid, other.command], [process.pid, 'the first'])
  lock.release()
  assert.equal(lockHolder(file), null)
})

test('the lock of a process that is gone is taken over, and leaves no other file', (t) => {
  const file = path.join(folder(t), 'lock')
  const gone = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(file, JSON.stringify({ pid: gone.pid, command: 'gone', began: 'then' }))
  assert.ok('release' in takeLock(file, 'the next'))
  assert.deepEqual(namesIn(path.dirname(file)), ['lock'])
})

test('a number that went to another process since does not keep the lock', (t) => {
  const file = path.join(folder(t), 'lock')
  assert.ok('release' in takeLock(file, 'the first'))
  const held = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...held, began: 'another time' }))
  assert.equal(lockHolder(file), null)
  assert.ok('release' in takeLock(file, 'the next'))
})

test('a damaged lock file keeps nobody out', (t) => {
  const file = path.join(folder(t), 'lock')
  writeFileSync(file, '{"pid":')
  assert.ok('release' in takeLock(file, 'the next'))
})
