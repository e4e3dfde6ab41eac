/** The render process may die at any time. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openRenderer } from '../src/renderer.ts'

const REQUEST = {
  prompt: 'A paper boat in a rain gutter',
  model: 'delta-1-5',
  aspectRatio: '16:9',
  quality: '720p',
  durationS: 1,
  imageUrl: null,
}

/** The ids of the render processes of this process. */
function rendering(): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(' ').includes('render-process'))
    .map(([pid]) => Number(pid))
}

test('render process killed between films → the next film starts a new process', async (context) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'kinora-renderer-'))
  const renderer = openRenderer(24)
  context.after(() => {
    renderer.close()
    rmSync(dir, { recursive: true })
  })
  const film = async (name: string) => {
    await renderer.render({ path: path.join(dir, name), request: REQUEST })
    assert.ok(statSync(path.join(dir, name)).size > 1000)
  }
  await film('first.mp4')
  const [pid] = rendering()
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  while (isThere(pid)) await setImmediate()
  await film('second.mp4')
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
