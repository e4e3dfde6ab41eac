/** Runs another program to its end and answers what it printed; this process goes on with its own work meanwhile. */
import { spawn } from 'node:child_process'

/** @throws Error with the program's own words when it fails */
export function run(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    printed.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed.err += chunk
  })
  child.once('error', reject)
  child.once('close', (code) =>
    code === 0 ? resolve(printed.out) : reject(new Error(`${file} ended with ${code}:\n${printed.err}`)),
  )
  return promise
}
