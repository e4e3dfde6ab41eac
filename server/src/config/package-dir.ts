/**
 * Where the server's package is: `server/src` runs as it is, and `server/dist` (server/build.mjs) has the same code in
 * fewer files. Both are folders of the package, so a path from here is right in both.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const isBuilt = path.basename(import.meta.dirname) === 'dist'
const codeDir = isBuilt ? import.meta.dirname : path.resolve(import.meta.dirname, '..')

/** The folder `server`, absolute. */
export const packageDir = path.resolve(codeDir, '..')
/** The same as a URL, which ends in a slash. */
export const packageUrl = pathToFileURL(`${packageDir}${path.sep}`)

/**
 * The code of the inspecting children, which is all of the service that they may read. A service that runs from its
 * sources (in tests) takes the folder of a current build from `KINORA_MEDIA_DIR`: from the sources a child takes 369 ms
 * of CPU time instead of 236, because it strips types and loads the whole demuxer for every film.
 */
export const mediaDir = (!isBuilt && process.env.KINORA_MEDIA_DIR) || path.join(codeDir, 'media')

/** A file imported by a computed name. @param name in the code's folder: `provider/adapter/provider-a` */
export const codeFile = (name: string): string => path.join(codeDir, `${name}.${isBuilt ? 'js' : 'ts'}`)

/** The script of an inspecting child. */
export const childScript = (): string =>
  path.join(mediaDir, `inspecting-child.${mediaDir.startsWith(`${packageDir}/dist`) ? 'js' : 'ts'}`)

let ownCatalogueDir: string | null = null

/** Names the operator's folder, `CATALOGUE_DIR`, before the catalogue is read. */
export function useCatalogueDir(dir: string | undefined): void {
  ownCatalogueDir = dir ? path.resolve(dir) : null
}

/** A folder of the catalogue. `name`: how messages call it. */
export type CatalogueFolder = { name: string; path: string }

/** The release's catalogue and then that of CATALOGUE_DIR, whose entries replace those of the same id. */
export const catalogueFolders = (): CatalogueFolder[] => [
  { name: 'catalogue', path: path.resolve(packageDir, '../catalogue') },
  ...(ownCatalogueDir ? [{ name: ownCatalogueDir, path: ownCatalogueDir }] : []),
]

/** A file of the catalogue that administrators wrote (catalogue/taken.ts). `file`: as in a folder, `plans.json`. */
export type TakenFile = { file: string; text: string }

let taken: readonly TakenFile[] = []
export const takenFiles = (): readonly TakenFile[] => taken
/** Takes other ones, beside the release's files and below those of CATALOGUE_DIR. */
export function useTaken(files: readonly TakenFile[]): void {
  taken = files
}

/** Where a file of the catalogue is from: the release, an administrator, or CATALOGUE_DIR, the last of which wins. */
export const ORIGINS = ['release', 'taken', 'own'] as const
export type Origin = (typeof ORIGINS)[number]
/** How messages call what administrators wrote. */
export const TAKEN = 'drafts'

/** The texts of a file of the catalogue, the one that wins last. @param name `providers.json`, `models/<id>.json` */
export function catalogueTexts(
  name: string,
  folders = catalogueFolders(),
): { of: Origin; file: string; text: string }[] {
  const [release, ...own] = folders.map((folder, i) => {
    const file = path.join(folder.path, name)
    const of = i === 0 ? ('release' as const) : ('own' as const)
    return existsSync(file) ? [{ of, file: `${folder.name}/${name}`, text: readFileSync(file, 'utf8') }] : []
  })
  const written = taken.flatMap(({ file, text }) =>
    file === name ? [{ of: 'taken' as const, file: `${TAKEN}/${name}`, text }] : [],
  )
  return [...(release ?? []), ...written, ...own.flat()]
}
