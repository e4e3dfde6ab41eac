/**
 * What the generate form keeps in this browser, by user and team, so that the next user who signs in does not see it:
 * the draft, which outlives the tab and an expired session, and the last prompts.
 */
import { browserStorage } from '../browser-storage.ts'
import { ownerKey } from '../chosen-team.ts'
import type { Draft } from './form-values.ts'

const PROMPTS_MAX = 50

const draftKey = (userId: string) => `kinora.draft.${ownerKey(userId)}`
const promptsKey = (userId: string) => `kinora.prompts.${ownerKey(userId)}`

export const saveDraft = (userId: string, draft: Draft): void => browserStorage.write(draftKey(userId), draft)

export function readDraft(userId: string): Draft {
  const draft = browserStorage.read(draftKey(userId))
  return typeof draft === 'object' && draft !== null ? draft : {}
}

/** The prompts of the last films, the latest first. */
export function readPrompts(userId: string): string[] {
  const prompts = browserStorage.read(promptsKey(userId))
  return Array.isArray(prompts) ? prompts.filter((each) => typeof each === 'string') : []
}

export function rememberPrompt(userId: string, prompt: string): void {
  const others = readPrompts(userId).filter((each) => each !== prompt)
  browserStorage.write(promptsKey(userId), [prompt, ...others].slice(0, PROMPTS_MAX))
}
