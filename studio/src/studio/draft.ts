/**
 * The draft of the generate form, which survives a reload and an expired session: stored in this tab only, and by user id, so
 * that the next user who signs in does not see it.
 */
import { tabStorage } from '../browser-storage.ts'
import type { Draft } from './form-values.ts'

const keyOf = (userId: string) => `kinora.draft.${userId}`

export const saveDraft = (userId: string, draft: Draft): void => tabStorage.write(keyOf(userId), draft)

export function readDraft(userId: string): Draft {
  const draft = tabStorage.read(keyOf(userId))
  return typeof draft === 'object' && draft !== null ? draft : {}
}
