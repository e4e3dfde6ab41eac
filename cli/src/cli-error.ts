/**
 * What the commands say when they cannot go on. A `Refusal` is meant for the person at the terminal: its message is shown
 * as it stands, without a stack trace. Anything else thrown is a bug and is shown whole.
 */
export class Refusal extends Error {
  /** @param message plain sentences that say what is wrong and what to do */
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}

/** The code of a failed system call (`ENOENT`, `EACCES`, …), undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Turns the failure of a system call on `place` into sentences; everything else is handed back as it is.
 * @param place the file or folder that was touched, absolute
 */
export function explainFileError(error: unknown, place: string): unknown {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return new Refusal(
        `${place} cannot be read or written by this user. Give it to the user who runs Kinora (chown), ` +
          'or choose another folder: DATA_DIR=/some/folder npm start',
      )
    case 'EROFS':
      return new Refusal(
        `${place} is on a read-only file system. Choose another folder: DATA_DIR=/some/folder npm start`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new Refusal(
        `The disk that holds ${place} is full. Free some space (1 GB is a good start) and start again.`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new Refusal(
        `${place} is in the way: it is a file where a folder is needed. Move it away, ` +
          'or choose another folder: DATA_DIR=/some/folder npm start',
      )
    default:
      return error
  }
}
