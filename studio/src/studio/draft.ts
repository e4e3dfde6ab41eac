/**
 * What somebody was about to make, kept through a reload and an ended session: in this tab alone, and under the user's
 * own id, so that whoever signs in next does not find it. It holds wishes, never anything that opens a door.
 */
import type { Draft } from './wish.ts'

/** For where storage is switched off or full: the draft then lives as long as the page. */
const memory = new Map<string, string>()
const keyOf = (userId: string) => `kinora.draft.${userId}`

export function saveDraft(userId: string, draft: Draft): void {
  memory.set(userId, JSON.stringify(draft))
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify(draft))
  } catch {
    // Then memory has to do.
  }
}

export function readDraft(userId: string): Draft {
  try {
    const draft: unknown = JSON.parse(memory.get(userId) ?? sessionStorage.getItem(keyOf(userId)) ?? '{}')
    return typeof draft === 'object' && draft !== null ? draft : {}
  } catch {
    return {}
  }
}
