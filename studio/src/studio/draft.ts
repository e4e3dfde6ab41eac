/**
 * What somebody was about to make, kept through a reload and an ended session: in this tab alone, and under the user's
 * own id, so that whoever signs in next does not find it.
 */
import { tabStorage } from '../browser-storage.ts'
import type { Draft } from './form-values.ts'

const keyOf = (userId: string) => `kinora.draft.${userId}`

export const saveDraft = (userId: string, draft: Draft): void => tabStorage.write(keyOf(userId), draft)

export function readDraft(userId: string): Draft {
  const draft = tabStorage.read(keyOf(userId))
  return typeof draft === 'object' && draft !== null ? draft : {}
}
