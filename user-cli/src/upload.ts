/** Uploads of files for films. Where a large one stands is kept, so that the command that is given again goes on. */
import { mkdirSync, openAsBlob, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Asset, Kinora, UploadOptions } from '@kinora/client'
import { configFile } from './config.ts'
import { dataOf } from './context.ts'
import { usageError } from './exit.ts'
import { type Output, safeText } from './output.ts'

/** More would be of files that are not sent again. */
const KEPT_MAX = 20

export async function uploadFile(
  kinora: Kinora,
  file: string,
  { type, output, ...options }: { type: string; output: Output; signal: AbortSignal } & Pick<UploadOptions, 'kind'>,
): Promise<Asset> {
  const body = await blobOf(file, type)
  const key = keyOf(file)
  let shown = 0
  const onProgress = (bytes: number) => {
    const percent = Math.floor((100 * bytes) / body.size)
    if (percent < shown + 10) return
    shown = percent
    output.note(`${safeText(path.basename(file))}: ${percent} % sent`)
  }
  const onAddress = (address: string | null) => keep(key, address)
  return dataOf(await kinora.uploadAsset(body, { ...options, address: kept()[key] ?? null, onAddress, onProgress }))
}

/** It throws at once for a file that is not there. */
export const blobOf = async (file: string, type: string): Promise<Blob> =>
  (async () => openAsBlob(file, { type }))().catch(() => {
    throw usageError(`The file ${file} cannot be read.`)
  })

/** A file that has changed is another one. */
function keyOf(file: string): string {
  const { size, mtimeMs } = statSync(file)
  return `${path.resolve(file)} ${size} ${mtimeMs}`
}

const stateFile = () => path.join(path.dirname(configFile()), 'uploads.json')

function kept(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(stateFile(), 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

function keep(key: string, address: string | null): void {
  const { [key]: _, ...others } = kept()
  const all = Object.entries({ ...others, ...(address !== null && { [key]: address }) }).slice(-KEPT_MAX)
  try {
    mkdirSync(path.dirname(stateFile()), { recursive: true, mode: 0o700 })
    writeFileSync(stateFile(), JSON.stringify(Object.fromEntries(all)), { mode: 0o600 })
  } catch {
    // Without it the upload begins anew.
  }
}
