/** What the child does with files: the shape of each kind of job. */
import type { FilmBytes } from './film/structure.ts'

/**
 * `sendPiece` sends bytes of the file to keep; the server writes them at that position. `sendProgress`: in percent, and
 * the number of the part in work.
 */
export type Sent = {
  sendPiece: (position: number, bytes: Uint8Array) => void
  sendProgress: (percent: number, part: number) => void
}
export type JobFile = FilmBytes & Sent
/**
 * What is done for a job: a line of the reply, and the bytes that it describes. `file` is the first of `files`, and the
 * only one of most jobs.
 */
export type Inspect<Job> = (
  job: Job,
  file: JobFile,
  files: FilmBytes[],
) => Promise<{ line: object; bytes?: Uint8Array }>
