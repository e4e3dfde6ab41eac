/** Files that clients send instead of links, kept in memory until the submit that names them. */
import { randomUUID } from 'node:crypto'

export async function dataUriOf(file: unknown): Promise<string | undefined> {
  if (!(file instanceof File)) return undefined
  const type = file.type || 'application/octet-stream'
  return `data:${type};base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`
}

/** The address of a file that a body has: a text, an object with one, or the file itself in Base64 with its type. */
export function uriOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const file = value as { [field: string]: unknown }
  const data = file.bytesBase64Encoded ?? file.data
  const type = file.mimeType ?? file.mime_type ?? file.mediaType ?? file.media_type
  return data === undefined ? (file.uri ?? file.url) : `data:${type};base64,${data}`
}

/** @param nameOf what the vendor calls a file: a link, or an id */
export function openUploads(nameOf: (key: string) => string = (key) => key) {
  const files = new Map<string, string>()
  return {
    /** @returns the name; null when `file` is none */
    add: async (file: unknown): Promise<string | null> => {
      const uri = await dataUriOf(file)
      if (uri === undefined) return null
      const name = nameOf(randomUUID())
      files.set(name, uri)
      return name
    },
    /** The file that a submit names; what is not the name of one is returned as it is. */
    find: (name: unknown): unknown => files.get(String(name)) ?? name,
  }
}
