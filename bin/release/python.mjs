/** The Python client of a release: wheel and source archive, by the package's own build backend. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'

const MINIMUM = [3, 9]

/** @returns why the client cannot be built and run here, or null */
export function pythonProblem() {
  const code = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${MINIMUM.join(', ')}))`
  const isThere = spawnSync('python3', ['-c', code], { stdio: 'ignore' }).status === 0
  return isThere ? null : `python3 of ${MINIMUM.join('.')} or newer with venv is not installed`
}

/** @param {string} root of the clone @param {string} out gets the files @returns {string[]} their names */
export function buildPython(root, out) {
  const target = JSON.stringify(path.resolve(out))
  const code = `import build_backend as b; print(b.build_wheel(${target}), b.build_sdist(${target}))`
  return run('python3', ['-Bc', code], { cwd: path.join(root, 'python-client') })
    .trim()
    .split(' ')
}

/** @returns {string} what the command printed @throws SetupError */
export function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    ...options,
  })
  if (status !== 0) throw new SetupError(`${command} failed:\n${error ?? `${stdout}${stderr}`.slice(-4000)}`)
  return stdout
}
