/** What the child does with a file: the shape of each kind of job. */
import type { FilmBytes } from './film/structure.ts'

/** `sendPiece` sends bytes of the file to keep; the server writes them at that position. */
export type JobFile = FilmBytes & { sendPiece: (position: number, bytes: Uint8Array) => void }
/** What is done for a job: a line of the reply, and the bytes that it describes. */
export type Inspect<Job> = (job: Job, file: JobFile) => Promise<{ line: object; bytes?: Uint8Array }>
