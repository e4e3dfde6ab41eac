/**
 * `node bench/signing.ts`: processor time and memory of signing a film in a process that is warm, for films of 1 to 500 MB. Goal: 40 ms and 5 ms
 * for each MB, 2.5 times the film. The child's share, which finds out the place and the hash, runs in the same process here.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bindFilm } from '../server/src/media/film/binding.ts'
import { openSigner } from '../server/src/provenance/keys.ts'
import { bindingRequestOf, type Signing, signFilm } from '../server/src/provenance/sign.ts'
import { greyFilm } from '../server/test/support/films.ts'

const MB = 1024 * 1024
const REPEATS = 5

const folder = await mkdtemp(path.join(tmpdir(), 'kinora-signing-'))
const signing: Signing = {
  signer: await openSigner({ dataDir: folder, provenance: { certificate: null, key: null } }, new Date()),
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
  const header = Buffer.alloc(8)
  header.writeUInt32BE(megabytes * MB - film.length, 0)
  header.write('free', 4, 'latin1')
  await writeFile(file, film)
  const handle = openSync(file, 'a')
  writeSync(handle, header)
  const chunk = Buffer.alloc(MB, 7)
  for (let left = megabytes * MB - film.length - 8; left > 0; left -= MB)
    writeSync(handle, chunk, 0, Math.min(MB, left))
  closeSync(handle)
  return file
}

async function signOnce(file: string): Promise<boolean> {
  const handle = openSync(file, 'r')
  const { size } = fstatSync(handle)
  const read = (position: number, lengthBytes: number) => {
    const buffer = new Uint8Array(lengthBytes)
    return buffer.subarray(0, readSync(handle, buffer, 0, lengthBytes, position))
  }
  const binding = bindFilm({ sizeBytes: size, read }, bindingRequestOf(signing, size))
  closeSync(handle)
  const target = path.join(folder, 'signed')
  const { manifest } = await signFilm(signing, { file, target, contentType: 'video/mp4', binding })
  await rm(target, { force: true })
  return manifest === null
}

try {
  const warm = await writeFilmOf(1)
  for (let runs = 0; runs < 10; runs += 1) await signOnce(warm)
  console.log('film MB | place  | CPU ms | goal ms | peak memory MB above the start | goal MB')
  for (const megabytes of [1, 10, 100, 200, 500]) {
    const file = await writeFilmOf(megabytes)
    const baseKb = process.memoryUsage.rss() / 1024
    const times: number[] = []
    let isEmbedded = false
    let peakKb = 0
    const watch = setInterval(() => {
      peakKb = Math.max(peakKb, process.memoryUsage.rss() / 1024)
    }, 5)
    for (let runs = 0; runs < REPEATS; runs += 1) {
      const before = process.cpuUsage()
      isEmbedded = await signOnce(file)
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
    }
    clearInterval(watch)
    peakKb = Math.max(peakKb, process.memoryUsage.rss() / 1024)
    const cpuMs = times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
    const memory = Math.max(0, (peakKb - baseKb) / 1024)
    const cells = [
      megabytes,
      isEmbedded ? 'inside' : 'beside',
      cpuMs.toFixed(0),
      40 + 5 * megabytes,
      memory.toFixed(0),
      2.5 * megabytes,
    ]
    console.log(cells.join(' | '))
    await rm(file)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
