/** Writes what is downloaded to a file: into a temporary file beside it first, so that the file is never half of it. */
import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { KinoraError } from '@kinora/client'
import { CommandError, EXIT, serviceError, usageError } from './exit.ts'

/** @throws CommandError when the file exists already: before a film is paid for, not after */
export function checkTarget(file: string, isForced: boolean): void {
  if (file !== '-' && !isForced && existsSync(file))
    throw usageError(`${file} exists already; name another file or add --force.`)
}

/** @param file `-` for stdout. @returns the size in bytes; null on stdout */
export async function download(
  url: string,
  file: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<number | null> {
  const response = await fetch(url, { signal, headers }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new CommandError(
      EXIT.unavailable,
      'UNREACHABLE',
      'The film cannot be downloaded: its address cannot be reached.',
    )
  })
  if (!response.ok || !response.body) {
    const { error } = (await response.json().catch(() => ({}))) as { error?: KinoraError }
    if (error?.code) throw serviceError({ ...error, status: response.status })
    throw new CommandError(EXIT.failed, 'DOWNLOAD_FAILED', `The film cannot be downloaded: status ${response.status}.`)
  }
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  if (file === '-') {
    await pipeline(body, process.stdout, { signal, end: false })
    return null
  }
  const part = `${file}.${randomUUID().slice(0, 8)}.part`
  try {
    await pipeline(body, createWriteStream(part, { flags: 'wx' }), { signal })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    if (signal.aborted || !(error instanceof Error)) throw error
    throw new CommandError(EXIT.failed, 'DOWNLOAD_FAILED', `The film could not be written to ${file}: ${error.message}`)
  }
  return (await stat(file)).size
}
