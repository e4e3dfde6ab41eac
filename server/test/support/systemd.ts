/**
 * A stand-in for systemd: a folder with `systemctl` and `journalctl` for the PATH of a script. They start what the
 * shipped units say, as an ordinary user, with the link `current` of a folder in place of /opt/kinora/current. A unit
 * that ends is started again after RestartSec=, but not with a status of RestartPreventExitStatus=.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after } from 'node:test'
import { listen } from './reverse-proxy.ts'

const units = path.resolve(import.meta.dirname, '../../../deploy/systemd')
/** What a machine has that has nothing of the tests. */
export const SYSTEM_PATH = '/usr/bin:/bin'
/** Who runs the service: nobody, where root runs the tests. */
export const ordinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

type Unit = {
  state: 'active' | 'activating' | 'failed'
  child: ChildProcess
  ended: Promise<number | string>
  /** The release that it runs. */
  release: string
  timer?: NodeJS.Timeout
}

/** @param env of every unit, read at each start @returns `bin`: the folder for the PATH */
export async function openSystemd(home: string, env: Record<string, string>) {
  const running = new Map<string, Unit>()
  const journal = new Map<string, string>()

  const launch = (name: string): void => {
    const [template = '', instance = ''] = name.split('@')
    const text = readFileSync(path.join(units, `${template}@.service`), 'utf8')
    const setting = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? assert.fail(`${name}: ${key}`)
    assert.match(text, /^Restart=always$/m)
    const here = (value: string) => value.replaceAll('/opt/kinora', home).replaceAll('%i', instance)
    const [file = '', ...args] = here(setting('ExecStart')).split(' ')
    const release = realpathSync(path.join(home, 'current'))
    const child = spawn(file, args, {
      cwd: here(setting('WorkingDirectory')),
      env: { PATH: SYSTEM_PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...ordinaryUser,
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => journal.set(name, `${journal.get(name) ?? ''}${bytes}`))
    const ended = new Promise<number | string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('close', (code, signal) => resolve(signal ?? code ?? ''))
    })
    const unit: Unit = { state: 'active', child, ended, release }
    running.set(name, unit)
    const final = setting('RestartPreventExitStatus').split(' ')
    void ended.then((how) => {
      // A unit that is being stopped is in the list no more.
      if (running.get(name) !== unit) return
      unit.state = final.includes(`${how}`) ? 'failed' : 'activating'
      if (unit.state === 'failed') return
      unit.timer = setTimeout(() => launch(name), Number(setting('RestartSec')) * 1000)
    })
  }
  /** @returns how it ended; null when it did not run */
  const stop = async (name: string): Promise<number | string | null> => {
    const unit = running.get(name)
    running.delete(name)
    clearTimeout(unit?.timer)
    if (unit?.state !== 'active') return null
    unit.child.kill('SIGTERM')
    return await unit.ended
  }
  after(() => {
    for (const { child, timer } of running.values()) {
      clearTimeout(timer)
      child.kill('SIGKILL')
    }
  })

  /** @returns what it prints; null for an exit status other than 0 */
  const systemctl = async ([command, ...args]: string[]): Promise<string | null> => {
    const name = args.at(-1) ?? ''
    switch (command) {
      case 'is-active':
        return running.get(name)?.state === 'active' ? '' : null
      case 'list-units':
        return [...running.keys()].filter((each) => each.startsWith(name.replace('*', ''))).join('\n')
      case 'restart':
        await stop(name)
        launch(name)
        return ''
      case 'enable':
        launch(name)
        return ''
      case 'disable':
        await stop(name)
        return ''
      // journalctl --unit NAME …
      case '--unit':
        return journal.get(args[0] ?? '') ?? ''
      default:
        throw new Error(`systemctl ${command} ${args.join(' ')}`)
    }
  }
  const server = http.createServer((request, response) => {
    const args = new URL(request.url ?? '', 'http://x').searchParams.getAll('a')
    systemctl(args).then(
      (output) => response.writeHead(output === null ? 404 : 200).end(output),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  const url = await listen(server)
  const bin = path.join(home, 'bin')
  mkdirSync(bin)
  const script = path.join(bin, 'call.mjs')
  writeFileSync(
    script,
    `const r = await fetch('${url}/?' + process.argv.slice(2).map((a) => 'a=' + encodeURIComponent(a)).join('&'))
console.log(await r.text()); process.exit(r.ok ? 0 : 3)`,
  )
  for (const name of ['systemctl', 'journalctl'])
    writeFileSync(path.join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 })
  return {
    bin,
    systemctl,
    stop,
    names: () => [...running.keys()],
    /** The release that a unit runs. */
    releaseOf: (name: string) => running.get(name)?.release,
    journalOf: (name: string) => journal.get(name) ?? '',
  }
}
