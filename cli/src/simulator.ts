/**
 * The simulator as a child process: the stand-in for both AI providers where none is configured. Its port stays the same
 * from start to start, so that films it was still rendering are found again.
 */
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Child, startChild } from './child.ts'
import { readJson, writeJson } from './data-dir.ts'
import type { LogFile } from './log-file.ts'
import { freePort } from './ports.ts'
import { Refusal } from './cli-error.ts'

const SCRIPT = 'simulator/src/main.ts'

/** @returns the port that the simulator of this data folder has, or will have when it is started */
export async function simulatorPort(dataDir: string, isRunning: boolean): Promise<number> {
  const file = path.join(dataDir, 'simulator.json')
  const { port: kept } = readJson(file)
  if (isRunning && typeof kept === 'number') return kept
  const port = await freePort(kept)
  if (port !== kept) writeJson(file, { port })
  return port
}

/**
 * @param env as for the server; the simulator gets no more of it than a stranger's program should
 * @param track gets the child at once, before it is ready
 * @throws Refusal with its last lines when it does not come up
 */
export function startSimulator(
  dataDir: string,
  port: number,
  env: NodeJS.ProcessEnv,
  log: LogFile,
  track: (child: Child) => void,
): Promise<void> {
  const child = startChild(
    SCRIPT,
    [],
    {
      ...withoutSecrets(env),
      SIMULATOR_PORT: String(port),
      SIMULATOR_HOST: '127.0.0.1',
      SIMULATOR_DATA_DIR: path.join(dataDir, 'simulator'),
    },
    { stdout: 'pipe', stderr: log.fd },
  )
  track(child)
  const loud = ['debug', 'trace'].includes(env.LOG_LEVEL ?? '')
  return new Promise((resolve, reject) => {
    if (child.process.stdout) {
      createInterface({ input: child.process.stdout }).on('line', (line) => {
        log.write(`${line}\n`)
        if (loud) process.stdout.write(`simulator: ${line}\n`)
        if (line.startsWith('{"listening":')) resolve()
      })
    }
    child.ended.then((how) => {
      const lines = log.tail(8).join('\n  ')
      reject(
        new Refusal(`The simulator could not start (${how}). Its last lines (all of them: ${log.path}):\n  ${lines}`),
      )
    })
  })
}

/** It plays the part of somebody else's service: it has its callers' keys, and nothing of the server's own. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, AUTH_SECRET: _auth, AI_CALLBACK_SECRET: _callback, ADMIN_PASSWORD: _admin, ...rest } = env
  return rest
}
