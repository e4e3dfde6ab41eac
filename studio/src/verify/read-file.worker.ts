/**
 * Reads a file in a worker: its SHA-256 in pieces, then its content credentials by c2pa-rs, which is WebAssembly of 9
 * MB and reads files by an interface that only workers have. Each message is what has become known.
 */
import openReader, { WasmReader } from '@contentauth/c2pa-wasm'
import readerUrl from '@contentauth/c2pa-wasm/c2pa.wasm?url'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type Credentials, credentialsOf, type ReadFile, type Report } from './credentials.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Neither is asked for: the browser of a user who checks a file calls no host that the file names. */
const SETTINGS = JSON.stringify({ verify: { remote_manifest_fetch: false, ocsp_fetch: false } })

const report = (known: ReadFile) => postMessage(known)

addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  try {
    report({ sha256: await hashOf(file) })
  } catch {
    // The file was moved, or is a folder.
    report({ isUnreadable: true })
    return
  }
  report({ credentials: await readCredentials(file) })
})

async function hashOf(file: File): Promise<string> {
  // Not WebCrypto, which holds the whole file in memory, and is there on https and localhost only.
  const hash = sha256.create()
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    hash.update(new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer()))
    report({ bytesRead: Math.min(at + CHUNK_BYTES, file.size) })
  }
  return bytesToHex(hash.digest())
}

async function readCredentials(file: File): Promise<Credentials> {
  try {
    await openReader({ module_or_path: readerUrl })
  } catch {
    return { state: 'unavailable' }
  }
  try {
    const reader = await WasmReader.fromBlob(file.type, file, SETTINGS)
    return credentialsOf(JSON.parse(reader.json()) as Report)
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return { state: 'unavailable' }
    return { state: /JumbfNotFound|UnsupportedType/.test(String(error)) ? 'none' : 'damaged' }
  }
}
