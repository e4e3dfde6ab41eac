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
export const mediaDir = path.join(import.meta.dirname, 'media')

/** A file that is not imported by a fixed name. @param name relative to the code's folder, without extension: `provider/provider-a` */
export const codeFile = (name: string): string => path.join(import.meta.dirname, `${name}.${isBuilt ? 'js' : 'ts'}`)
