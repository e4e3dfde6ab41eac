/** Remixes: a film with the settings of another one and a new prompt remembers that one. */
import type { App } from '../app.ts'

/**
 * Stored after the film is created, so that every other film costs nothing more. A process that ends in between leaves a film without its
 * source; a repeated request stores it.
 */
export async function noteRemix(
  { sql }: App,
  { userId, uuid, source }: { userId: string; uuid: string; source: string },
): Promise<void> {
  await sql`
    update kinora.video set remixed_from = ${source}
    where user_id = ${userId} and id = ${uuid} and id <> ${source} and remixed_from is null
  `
}
