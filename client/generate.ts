/**
 * Writes src/openapi.ts, the types of every call, from the text of openapi.json. They are a copy of what the service says
 * of itself, so nobody edits them; `npm run openapi` makes them anew, and a test fails when they are stale.
 */
import openapiTypescript, { astToString } from 'openapi-typescript'
import typescript from 'typescript'

export const clientTypesFile = new URL('src/openapi.ts', import.meta.url)

const HEADER = `/**
 * Generated from openapi.json by \`npm run openapi\`. Do not edit: change the routes of the service, and run it again.
 *
 * One file although it is long: it is the generator's whole output, a copy of one document in which every call refers to
 * its schemas; nobody reads it through, and whatever cut it up would have to be repeated at every change of the API. It
 * holds types alone, so nothing of it is in what is built.
 */

`

/** Bytes, which a browser has as a Blob or File and Node as a Buffer, rather than the string that JSON would make them. */
const binary = typescript.factory.createUnionTypeNode(
  ['Blob', 'ArrayBuffer', 'Uint8Array<ArrayBuffer>'].map((name) =>
    typescript.factory.createTypeReferenceNode(typescript.factory.createIdentifier(name)),
  ),
)

/** @param openApiText the text of openapi.json */
export async function describeClientTypes(openApiText: string): Promise<string> {
  const nodes = await openapiTypescript(openApiText, {
    silent: true,
    // What has a default may be left out of a request.
    defaultNonNullable: false,
    transform: (schema) => (schema.format === 'binary' ? binary : undefined),
  })
  return HEADER + astToString(nodes)
}
