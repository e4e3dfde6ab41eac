/**
 * What somebody was about to make, kept through a reload and an ended session: in this tab alone, and under the user's
 * own id, so that whoever signs in next does not find it. It holds wishes, never anything that opens a door.
 */
import type { Wish } from './wish.ts'

const keyOf = (userId: string) => `kinora.draft.${userId}`

export function saveDraft(userId: string, draft: Partial<Wish>): void {
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify(draft))
  } catch {
    // Storage can be switched off or full; the draft then lives as long as the page.
  }
}

export function readDraft(userId: string): Partial<Wish> {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '{}')
    return typeof draft === 'object' && draft !== null ? draft : {}
  } catch {
    return {}
  }
}
