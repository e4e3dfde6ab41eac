/**
 * Errors of the commands. A `CliError` is meant for the user at the terminal: its message is printed as it is, without
 * a stack trace. Every other error is a bug and is printed with its stack.
 */
export class CliError extends Error {
  /**
   * @param message plain sentences that name the problem and the remedy; empty when a child has printed them already
   */
  constructor(message: string) {
    super(message)
    this.name = 'CliError'
  }
}

/** A mistake in the arguments of a command: it exits with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The code of a failed system call (`ENOENT`, `EACCES`, …), undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Maps a failed system call on `target` to a CliError; returns every other error unchanged.
 * @param target the file or folder of the call, absolute
 */
export function explainFileError(error: unknown, target: string): unknown {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return new CliError(
        `${target} cannot be read or written by this user. Give it to the user who runs Kinora (chown), ` +
          'or choose another folder: DATA_DIR=/some/folder npm start',
      )
    case 'EROFS':
      return new CliError(
        `${target} is on a read-only file system. Choose another folder: DATA_DIR=/some/folder npm start`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new CliError(
        `The disk that holds ${target} is full. Free some space (1 GB is a good start) and start again.`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new CliError(
        `${target} is in the way: it is a file where a folder is needed. Move it away, ` +
          'or choose another folder: DATA_DIR=/some/folder npm start',
      )
    default:
      return error
  }
}
