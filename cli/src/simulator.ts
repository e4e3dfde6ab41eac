/**
 * Runs the simulator as a child process, the replacement for AI providers that are not configured. Its port is stored,
 * so that after a restart the server can still poll the tasks that it submitted before.
 */
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Child, startChild } from './child.ts'
import { CliError } from './cli-error.ts'
import { readJson, writeJson } from './data-dir.ts'
import type { LogFile } from './log-file.ts'
import { freePort } from './ports.ts'

const SCRIPT = 'simulator/src/main.ts'

/** @returns the port of this data folder's simulator: that of the running one, or the one to start it on */
export async function simulatorPort(dataDir: string, isRunning: boolean): Promise<number> {
  const file = path.join(dataDir, 'simulator.json')
  const { port: stored } = readJson(file)
  if (isRunning && typeof stored === 'number') return stored
  const port = await freePort(stored)
  if (port !== stored) writeJson(file, { port })
  return port
}

/**
 * @param env the server's environment; the simulator receives it without the server's secrets
 * @param track receives the child at once, before it is ready
 * @throws CliError with its last log lines when it exits before it is ready
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
  const isVerbose = ['debug', 'trace'].includes(env.LOG_LEVEL ?? '')
  return new Promise((resolve, reject) => {
    if (child.process.stdout) {
      createInterface({ input: child.process.stdout }).on('line', (line) => {
        log.write(`${line}\n`)
        if (isVerbose) process.stdout.write(`simulator: ${line}\n`)
        if (line.startsWith('{"listening":')) resolve()
      })
    }
    child.ended.then((how) => {
      const lines = log.tail(8).join('\n  ')
      reject(
        new CliError(`The simulator could not start (${how}). Its last lines (all of them: ${log.path}):\n  ${lines}`),
      )
    })
  })
}

/**
 * The simulator acts as third-party services: it gets the API keys and webhook secrets shared with them, nothing else.
 */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, AUTH_SECRET: _auth, AI_CALLBACK_SECRET: _callback, ADMIN_PASSWORD: _admin, ...rest } = env
  return rest
}
