/**
 * `npm run pictures`: which pictures of the studio changed since the list in git (pictures.txt) was accepted; `--
 * --accept` makes the list say what the pictures show now. `npm test -- studio/test/pages.test.ts` takes them. Git has
 * no pictures: a line of the list is a picture's name and its fingerprint. Dates and ids of a page differ at each run,
 * and change a fingerprint little.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'

const folder = path.join(import.meta.dirname, 'pictures')
/** Of this machine, to look at beside the new ones. */
const accepted = path.join(folder, 'accepted')
const list = path.join(import.meta.dirname, 'pictures.txt')
/** Columns and rows of a fingerprint: the mean brightness of each cell, a byte. */
const GRID = 12
/** Of 255. A button or a line of text that comes or goes changes a cell by more. */
const DIFFERENCE_MAX = 6

type Fingerprints = Map<string, Buffer>

const takenNames = (): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.webp'))
        .sort()
    : []

async function fingerprintOf(file: string): Promise<Buffer> {
  return await sharp(path.join(folder, file)).greyscale().resize(GRID, GRID, { fit: 'fill' }).raw().toBuffer()
}

async function fingerprintsTaken(): Promise<Fingerprints> {
  const entries: [string, Buffer][] = []
  for (const file of takenNames()) entries.push([path.basename(file, '.webp'), await fingerprintOf(file)])
  return new Map(entries)
}

function fingerprintsAccepted(): Fingerprints {
  const lines = existsSync(list) ? readFileSync(list, 'utf8').trimEnd().split('\n') : []
  return new Map(
    lines.map((line) => {
      const [name = '', fingerprint = ''] = line.split(' ')
      return [name, Buffer.from(fingerprint, 'base64')]
    }),
  )
}

/** How much the cell that differs most differs, of 255. */
export const differenceOf = (a: Buffer, b: Buffer): number =>
  Math.max(...a.map((brightness, cell) => Math.abs(brightness - (b[cell] ?? 0))))

/** Taken pictures that are new or differ from the accepted ones. A missing one's file did not run. */
export function changedPictures(taken: Fingerprints, before: Fingerprints): string[] {
  return [...taken.entries()].flatMap(([name, fingerprint]) => {
    const old = before.get(name)
    return old && differenceOf(fingerprint, old) <= DIFFERENCE_MAX ? [] : [name]
  })
}

/** A page that shows the changed pictures beside those accepted on this machine. */
function pageOf(changed: string[]): string {
  const figures = changed.map((name) => {
    const before = existsSync(path.join(accepted, `${name}.webp`)) ? `<img src="accepted/${name}.webp">` : ''
    return `<h2>${name}</h2><div>${before}<img src="${name}.webp"></div>`
  })
  return `<!doctype html><title>Changed pictures</title><style>div{display:flex;gap:1em}img{max-width:48%}</style>${figures.join('\n')}\n`
}

function accept(taken: Fingerprints, before: Fingerprints): void {
  const lines = [...new Map([...before, ...taken])].map(([name, bytes]) => `${name} ${bytes.toString('base64')}\n`)
  writeFileSync(list, lines.sort().join(''))
  for (const file of takenNames()) cpSync(path.join(folder, file), path.join(accepted, file))
}

if (import.meta.main) {
  const [taken, before] = [await fingerprintsTaken(), fingerprintsAccepted()]
  if (taken.size === 0) process.stdout.write('No pictures: npm test -- studio/test/pages.test.ts takes them.\n')
  else if (process.argv.includes('--accept')) accept(taken, before)
  else {
    const changed = changedPictures(taken, before)
    const page = path.join(folder, 'changed.html')
    writeFileSync(page, pageOf(changed))
    for (const name of changed) process.stdout.write(`${name}${before.has(name) ? '' : ' (new)'}\n`)
    process.stdout.write(`${changed.length} of ${taken.size} pictures changed: ${page}\n`)
  }
}
