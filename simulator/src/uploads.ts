/** Images that clients send instead of links, kept in memory until the submit that names them. */
import { randomUUID } from 'node:crypto'

export async function dataUriOf(file: unknown): Promise<string | undefined> {
  if (!(file instanceof File)) return undefined
  const type = file.type || 'application/octet-stream'
  return `data:${type};base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`
}

/** @param nameOf what the vendor calls an image: a link, or an id */
export function openUploads(nameOf: (key: string) => string = (key) => key) {
  const images = new Map<string, string>()
  return {
    /** @returns the name; null when `file` is none */
    add: async (file: unknown): Promise<string | null> => {
      const image = await dataUriOf(file)
      if (image === undefined) return null
      const name = nameOf(randomUUID())
      images.set(name, image)
      return name
    },
    /** The image that a submit names; what is not the name of one is returned as it is. */
    find: (name: unknown): unknown => images.get(String(name)) ?? name,
  }
}
