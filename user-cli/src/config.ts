/**
 * Where the service is and which API key to send: KINORA_URL and KINORA_API_KEY, else the file that `kinora login`
 * writes. Invariant: only its owner can read the file, and its key is sent to the address that it was stored with, and
 * to no other.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { type Kinora, openKinora } from '@kinora/client'
import { CommandError, EXIT, usageError } from './exit.ts'

export type Login = { url: string; apiKey: string }

/** The folder of the XDG Base Directory Specification, which ignores a path that is not absolute. */
export function configFile({ XDG_CONFIG_HOME: dir }: NodeJS.ProcessEnv = process.env): string {
  const base = dir && path.isAbsolute(dir) ? dir : path.join(homedir(), '.config')
  return path.join(base, 'kinora', 'config.json')
}

function readLogin(): Login | null {
  let text: string
  try {
    text = readFileSync(configFile(), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Login>
    if (typeof url === 'string' && typeof apiKey === 'string') return { url, apiKey }
  } catch {}
  throw usageError(`${configFile()} cannot be read; run kinora login again.`)
}

/** Writes the file by an atomic rename, so that it never exists with a wider mode or in part. */
export function storeLogin(login: Login): void {
  const file = configFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}`
  writeFileSync(temporary, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Removes a damaged file too. @returns whether there was a file */
export function removeLogin(): boolean {
  try {
    rmSync(configFile())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** The address as it is stored: origin and path, without a slash at its end, a query or a fragment. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`${text} is not the address of a service: https://films.example.com`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** @throws CommandError without an address or a key */
export function connect(): Kinora {
  return openKinora(connection())
}

/** What is no JSON is read by its address. @throws CommandError as connect */
export function source(path: string): { url: string; headers: Record<string, string> } {
  const { baseUrl, apiKey, team } = connection()
  return { url: baseUrl + path, headers: { 'x-api-key': apiKey, ...(team && { 'x-team': team }) } }
}

function connection(env: NodeJS.ProcessEnv = process.env) {
  const stored = env.KINORA_URL && env.KINORA_API_KEY ? null : readLogin()
  const url = env.KINORA_URL ? parseUrl(env.KINORA_URL) : stored?.url
  if (url === undefined)
    throw notSignedIn('No service is known: run kinora login, or set KINORA_URL and KINORA_API_KEY.')
  const apiKey = env.KINORA_API_KEY || (stored?.url === url ? stored.apiKey : undefined)
  if (!apiKey)
    throw notSignedIn(`No API key is known for ${url}: run kinora login --url ${url}, or set KINORA_API_KEY.`)
  return { baseUrl: url, apiKey, team: env.KINORA_TEAM || undefined }
}

const notSignedIn = (message: string) => new CommandError(EXIT.notPermitted, 'NOT_SIGNED_IN', message)
