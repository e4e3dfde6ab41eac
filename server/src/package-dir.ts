/**
 * Where the server's package is: `server/src` runs as it is, and `server/dist` (server/build.mjs) has the same code in fewer
 * files. Both are folders of the package, so a path from here is right in both.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder `server`, absolute. */
export const packageDir = path.resolve(import.meta.dirname, '..')
/** The same as a URL, which ends in a slash. */
export const packageUrl = pathToFileURL(`${packageDir}${path.sep}`)

const isBuilt = path.basename(import.meta.dirname) === 'dist'

/** The code of the inspecting children, which is all of the service that they may read. */
export const mediaDir = path.join((await isChildBuildCurrent()) ? `${packageDir}/dist` : import.meta.dirname, 'media')

/** A file that is not imported by a fixed name. @param name relative to the code's folder, without extension: `provider/provider-a` */
export const codeFile = (name: string): string => path.join(import.meta.dirname, `${name}.${isBuilt ? 'js' : 'ts'}`)

/** The script of an inspecting child. @param name relative to `mediaDir`, without extension: `film/child` */
export const childScript = (name: string): string =>
  path.join(mediaDir, `${name}.${mediaDir.startsWith(`${packageDir}/dist`) ? 'js' : 'ts'}`)

/**
 * A service that runs from its sources (in tests) uses the build of the children if it is current: from the sources a child
 * takes 369 ms of CPU time instead of 236, because it strips types and loads the whole demuxer for every film.
 */
async function isChildBuildCurrent(): Promise<boolean> {
  if (isBuilt) return true
  const builds = await import(new URL('../../bin/build.mjs', import.meta.url).href)
  return builds.isBuilt(path.dirname(packageDir), 'server')
}
