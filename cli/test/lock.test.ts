/** The lock file: held while the holder's process lives, stale as soon as it does not. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { acquireLock, lockHolder } from '../src/lock.ts'
import { temporaryDir } from './cli-process.ts'

test('lock: its holder lives → not acquired, and the holder is returned', (t) => {
  const file = path.join(temporaryDir(t), 'lock')
  const lock = acquireLock(file, 'the first')
  assert.ok('release' in lock)
  const other = acquireLock(file, 'the second')
  assert.ok('pid' in other)
  assert.deepEqual([other.pid, other.command], [process.pid, 'the first'])
  lock.release()
  assert.equal(lockHolder(file), null)
})

test('lock: its holder has exited → acquired, and no temporary file remains', (t) => {
  const file = path.join(temporaryDir(t), 'lock')
  const gone = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(file, JSON.stringify({ pid: gone.pid, command: 'gone', began: 'then' }))
  assert.ok('release' in acquireLock(file, 'the next'))
  assert.deepEqual(readdirSync(path.dirname(file)), ['lock'])
})

test('lock: the pid of its holder was reused by another process → acquired', (t) => {
  const file = path.join(temporaryDir(t), 'lock')
  assert.ok('release' in acquireLock(file, 'the first'))
  const held = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...held, began: 'another time' }))
  assert.equal(lockHolder(file), null)
  assert.ok('release' in acquireLock(file, 'the next'))
})

test('lock: the file is damaged → acquired', (t) => {
  const file = path.join(temporaryDir(t), 'lock')
  writeFileSync(file, '{"pid":')
  assert.ok('release' in acquireLock(file, 'the next'))
})
