/**
 * An error for the user at the terminal: `run.mjs` prints its message without a stack trace and exits with status 1.
 */
export class SetupError extends Error {}
