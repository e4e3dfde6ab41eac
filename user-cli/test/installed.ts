/** Fixture: the command line as npm packs it, installed into an empty folder, and run as a child process. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { installPackage } from '../../server/test/support/npm-package.ts'

export const { folder, files } = await installPackage(path.resolve(import.meta.dirname, '..'))
export const inFolder = (...parts: string[]) => path.join(folder, ...parts)

export type Ended = { status: number | null; stdout: string; stderr: string }

/** Runs a command with no environment but the key; `input` is its standard input. */
export function start(args: string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [inFolder('node_modules/.bin/kinora'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  })
  const ended: Ended = { status: null, stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      ended[stream] += text
      for (const listener of listeners) listener()
    })
  }
  // A command that reads no input may have ended before it is written.
  child.stdin.on('error', () => {}).end(input)
  return {
    child,
    seen: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const check = () => pattern.test(ended.stdout + ended.stderr) && resolve()
        listeners.add(check)
        child.once('close', () => reject(new Error(`it ended without ${pattern}: ${ended.stderr}`)))
        check()
      }),
    ended: new Promise<Ended>((resolve) => child.on('close', (status) => resolve({ ...ended, status }))),
  }
}
