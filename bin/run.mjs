#!/usr/bin/env node
/**
 * The launcher of `npm start`, `npm test` and `npx kinora <command>`: installs missing packages, builds the studio and
 * the server where the command needs them, and runs the command on Node 24 even when the machine's Node is older. The
 * commands themselves are in `cli/`. Plain JavaScript without dependencies, because it runs before packages are
 * installed, on Node 20 or newer.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuild } from './build.mjs'
import { ensureInstalled, findPackagedNode, linkLibraries, prune, removeHeaders } from './install.mjs'
import { applyPatches } from './patches.mjs'
import { SetupError } from './setup-error.mjs'

const NODE_MAJOR_MIN = 24
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const given = process.argv.slice(2)
/** A packed release, which npm has installed with the packages that it names, and which has the studio built. */
const isRelease = existsSync(path.join(root, 'npm-shrinkwrap.json'))
/** Development tools; every other name is a command of `kinora`. */
const tools = {
  test: 'bin/test.mjs',
  bench: 'bench/run.ts',
  fuzz: 'proofs/fuzz/run.mjs',
  soak: 'proofs/soak/run.mjs',
  'release:check': 'bin/release/check.mjs',
  'release:verify': 'bin/release/verify.mjs',
  simulate: 'proofs/simulation/run-seeds.mjs',
  chaos: 'proofs/chaos/main.ts',
  failover: 'proofs/failover/main.ts',
  'soak:hour': 'proofs/chaos/soak.ts',
}
/** `kinora verify --help` is `kinora help verify`. */
const args = given.length > 1 && given.includes('--help') && !tools[given[0]] ? ['help', given[0]] : given
/** Commands whose server processes or inspecting children start faster from its build. */
const serverCommands = ['start', 'api', 'worker', 'test', 'bench', 'fuzz', 'chaos', 'soak:hour', 'build']
/** Commands that need the built studio, unless the operator provides one with STUDIO_DIR. */
const studioCommands = ['start', 'api', 'test', 'build']
/** `npm test -- --near` begins at once: a test that needs a build makes it. */
const needsBuild = !args.includes('--near') && !args.includes('--changed')

try {
  checkPlatform()
  if (args[0] === 'build' && args.length > 1) throw new SetupError('kinora build takes no arguments.')
  const tool = isRelease ? undefined : tools[args[0]]
  if (!isRelease) {
    // A failover is rehearsed beside a service, whose packages stay as they are.
    await ensureInstalled(root, { withDevelopment: tool !== undefined, mayInstall: args[0] !== 'failover' })
    applyPatches(root)
    prune(root)
  }
  linkLibraries(root)
  removeHeaders(root)
  const node = findNode24()
  if (!isRelease && needsBuild) await build(node)
  if (args[0] !== 'build') await runUnder(node, path.join(root, tool ?? 'cli/src/main.ts'), tool ? args.slice(1) : args)
} catch (error) {
  const isUsage = String(error?.code).startsWith('ERR_PARSE_ARGS')
  if (!isUsage && !(error instanceof SetupError)) throw error
  process.stderr.write(isUsage ? `npm run ${args[0]}: ${error.message.split('. ', 1)[0]}.\n` : `${error.message}\n`)
  process.exitCode = isUsage ? 2 : 1
}

/** Both at once: each waits for files, and for a part of its own that runs on one CPU. */
async function build(node) {
  const needs = (commands) => commands.includes(args[0] ?? 'start')
  const [server, studio] = await Promise.all([
    needs(serverCommands) ? ensureBuild(root, node, 'server') : null,
    needs(studioCommands) && !process.env.STUDIO_DIR ? ensureBuild(root, node, 'studio') : null,
  ])
  if (server) process.stderr.write(`${server}\nThe server starts from its sources, which takes a second longer.\n`)
  // The API works without the studio.
  if (studio && args[0] === 'api') process.stderr.write(`${studio}\nThe API starts without the studio.\n`)
  else if (studio) throw new SetupError(studio)
}

function checkPlatform() {
  const supported = ['linux', 'darwin'].includes(process.platform) && ['x64', 'arm64'].includes(process.arch)
  if (!supported) {
    throw new SetupError(
      `Kinora runs on Linux and macOS, on x64 and arm64; this machine is ${process.platform} ${process.arch}. ` +
        'On Windows, use it inside WSL 2.',
    )
  }
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) {
    throw new SetupError(
      'Kinora needs a Linux with glibc (Debian, Ubuntu, Fedora and the like); Alpine and other musl systems lack it.',
    )
  }
}

/**
 * The path of a Node that runs TypeScript by type stripping: this one when it is new enough, else the packaged Node 24.
 */
function findNode24() {
  if (nodeMajor() >= NODE_MAJOR_MIN) return process.execPath
  const node = findPackagedNode(root)
  if (!node) {
    throw new SetupError(
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
  // The IPC channel closes when this process is killed, and the child then stops.
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
