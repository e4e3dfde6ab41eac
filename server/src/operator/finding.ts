/** What a check of `kinora doctor` and of the administrators' checklist has found. */

/** `isFault`: the service does not start, or does not work, with this; otherwise it is a piece of advice. */
export type Finding = { what: string; state: string; remedy: string; isFault: boolean }

export const good = (what: string, state: string): Finding => ({ what, state, remedy: '', isFault: false })
