#!/usr/bin/env node
/**
 * The way in: `npm start`, `npm test` and `npx kinora <command>` all come through here. It makes sure that the packages
 * are installed and that Node 24 runs what follows, whatever Node the machine has; the commands themselves live in `cli/`.
 * Plain JavaScript without dependencies, because it runs before anything is installed and on any Node from 20.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureInstalled, linkLibraries } from './install.mjs'
import { ensureStudio } from './studio.mjs'

const NODE_MAJOR_MIN = 24
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
/** For developers; every other word is a command of `kinora`. */
const tools = { test: 'bin/test.mjs', bench: 'bench/run.ts', soak: 'bin/soak.mjs' }
/** These need the studio; an operator who brings his own built one (STUDIO_DIR) needs none of ours. */
const withStudio = ['start', 'api', 'test', 'build']

try {
  checkPlatform()
  const tool = tools[args[0]]
  await ensureInstalled(root, { withDevelopment: tool !== undefined })
  linkLibraries(root)
  const node = findNode24()
  if (withStudio.includes(args[0] ?? 'start') && !process.env.STUDIO_DIR) {
    const problem = ensureStudio(root, node)
    // The API is of use without it.
    if (problem && args[0] === 'api') process.stderr.write(`${problem}\nThe API starts without the studio.\n`)
    else if (problem) refuse(problem)
  }
  if (args[0] !== 'build') await runUnder(node, path.join(root, tool ?? 'cli/src/main.ts'), tool ? args.slice(1) : args)
} catch (error) {
  if (!error?.sentence) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function checkPlatform() {
  const supported = ['linux', 'darwin'].includes(process.platform) && ['x64', 'arm64'].includes(process.arch)
  if (!supported) {
    refuse(
      `Kinora runs on Linux and macOS, on x64 and arm64; this machine is ${process.platform} ${process.arch}. ` +
        'On Windows, use it inside WSL 2.',
    )
  }
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) {
    refuse(
      'Kinora needs a Linux with glibc (Debian, Ubuntu, Fedora and the like); Alpine and other musl systems lack it.',
    )
  }
}

/** Node 24 runs TypeScript as it stands. The one that the packages bring is taken before a newer one of the machine. */
function findNode24() {
  if (nodeMajor() >= NODE_MAJOR_MIN) return process.execPath
  // The name without "bin" was taken on the registry for this one platform.
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const node = path.join(root, 'node_modules', `${prefix}-${process.platform}-${process.arch}`, 'bin/node')
  if (!existsSync(node)) {
    refuse(
      `Kinora needs Node ${NODE_MAJOR_MIN} or newer; this is Node ${process.versions.node}, and no packaged one could be ` +
        `installed. Install Node ${NODE_MAJOR_MIN} from https://nodejs.org and run the command again.`,
    )
  }
  return node
}

async function runUnder(node, script, scriptArgs) {
  if (node === process.execPath) {
    process.argv = [node, script, ...scriptArgs]
    await import(pathToFileURL(script).href)
    return
  }
  // The channel tells the child that this process is gone, even when it was killed without a chance to say so.
  const child = spawn(node, [script, ...scriptArgs], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('message', (message) => process.send?.(message))
  process.on('disconnect', () => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

function nodeMajor() {
  return Number(process.versions.node.split('.')[0])
}

/** @returns {never} */
function refuse(message) {
  throw Object.assign(new Error(message), { sentence: true })
}
