/**
 * `node bench/signing.ts`: processor time and memory of signing a film in a process that is warm, for films of 10 kB to
 * 500 MB. Goal: 40 ms and 5 ms for each MB, 2.5 times the film. The child's share, which finds out the place and the
 * hash, runs in the same process here. What was signed is judged after it: by c2pa-rs, and by the check of `kinora
 * provenance check` where the manifest is beside the film, which c2pa-rs does not read.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bindFilm } from '../server/src/media/film/binding.ts'
import type { FilmBytes } from '../server/src/media/film/structure.ts'
import { checkFile } from '../server/src/provenance/check.ts'
import { openSigner } from '../server/src/provenance/keys.ts'
import { bindingRequestOf, type Signing, signFilm } from '../server/src/provenance/sign.ts'
import { judge } from '../server/test/support/content-credentials.ts'
import { greyFilm } from '../server/test/support/films.ts'

const MB = 1024 * 1024
const REPEATS = 5

const folder = await mkdtemp(path.join(tmpdir(), 'kinora-signing-'))
const signer = await openSigner({ dataDir: folder, provenance: { certificate: null, key: null } }, new Date())
const target = path.join(folder, 'signed')
const signing: Signing = {
  signer,
  timeStamp: null,
  label: null,
  facts: {
    instanceId: 'xmp:iid:1',
    model: 'Delta 1.5',
    madeAt: new Date(),
    isComposite: false,
    generator: { name: 'Kinora', version: '1' },
    ingredients: [],
  },
}

/** A film with a box behind it that fills it up to the size. */
async function writeFilmOf(megabytes: number): Promise<string> {
  const file = path.join(folder, `${megabytes}.mp4`)
  const film = await greyFilm(640, 360, 4)
  await writeFile(file, film)
  const sizeBytes = Math.round(megabytes * MB)
  if (sizeBytes < film.length + 8) return file
  const header = Buffer.alloc(8)
  header.writeUInt32BE(sizeBytes - film.length, 0)
  header.write('free', 4, 'latin1')
  const handle = openSync(file, 'a')
  writeSync(handle, header)
  const chunk = Buffer.alloc(MB, 7)
  for (let left = sizeBytes - film.length - 8; left > 0; left -= MB) writeSync(handle, chunk, 0, Math.min(MB, left))
  closeSync(handle)
  return file
}

async function withFilm<T>(file: string, work: (film: FilmBytes) => T): Promise<T> {
  const handle = openSync(file, 'r')
  const read = (position: number, lengthBytes: number) => {
    const buffer = new Uint8Array(lengthBytes)
    return buffer.subarray(0, readSync(handle, buffer, 0, lengthBytes, position))
  }
  try {
    return work({ sizeBytes: fstatSync(handle).size, read })
  } finally {
    closeSync(handle)
  }
}

/** @returns the manifest beside the film; null: it is in the signed one */
async function signOnce(file: string): Promise<Buffer | null> {
  await rm(target, { force: true })
  const binding = await withFilm(file, (film) => bindFilm(film, bindingRequestOf(signing, film.sizeBytes)))
  return (await signFilm(signing, { file, target, contentType: 'video/mp4', binding })).manifest
}

async function judged(file: string, manifest: Buffer | null): Promise<string> {
  if (manifest) return await withFilm(file, (film) => checkFile(film, manifest).credentials?.state ?? 'none')
  return (await judge(await readFile(target), 'video/mp4', signer.root ?? ''))?.state ?? 'none'
}

try {
  const warm = await writeFilmOf(1)
  for (let runs = 0; runs < 10; runs += 1) await signOnce(warm)
  console.log('film MB | place  | CPU ms | goal ms | peak memory MB above the start | goal MB | judged')
  for (const megabytes of [0.01, 1, 10, 100, 200, 500]) {
    const file = await writeFilmOf(megabytes)
    const baseKb = process.memoryUsage.rss() / 1024
    const times: number[] = []
    let manifest: Buffer | null = null
    let peakKb = 0
    const watch = setInterval(() => {
      peakKb = Math.max(peakKb, process.memoryUsage.rss() / 1024)
    }, 5)
    for (let runs = 0; runs < REPEATS; runs += 1) {
      const before = process.cpuUsage()
      manifest = await signOnce(file)
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
    }
    clearInterval(watch)
    peakKb = Math.max(peakKb, process.memoryUsage.rss() / 1024)
    const cpuMs = times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
    const memory = Math.max(0, (peakKb - baseKb) / 1024)
    const cells = [
      megabytes,
      manifest ? 'beside' : 'inside',
      cpuMs.toFixed(0),
      (40 + 5 * megabytes).toFixed(0),
      memory.toFixed(0),
      (2.5 * megabytes).toFixed(0),
      await judged(file, manifest),
    ]
    console.log(cells.join(' | '))
    await rm(file)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
