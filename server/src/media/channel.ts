/**
 * The messages between the server and an inspecting child. The server sends one line of JSON for each job, with the
 * open files beside it; the child answers with messages: what it is, the job's number, its length, then its bytes.
 */

/**
 * `piece`: of the file to keep, behind 6 bytes of position. `reply`: a line of JSON, then the bytes it describes.
 * `progress`: a byte of percent, and one with the number of the part in work.
 */
const kinds = ['ready', 'piece', 'reply', 'progress'] as const
export type MessageKind = (typeof kinds)[number]
export type Message = { kind: MessageKind; job: number; bytes: Buffer }

/** 1 byte of kind, 4 of the job's number, 4 of length. */
const HEADER_BYTES = 9
export const POSITION_BYTES = 6
export const PROGRESS_BYTES = 2
export const PIECE_BYTES_MAX = 1024 * 1024

/** Where a file is that the server cannot send: the channel is between the first and the others. */
export const inheritedFd = (index: number): number => (index === 0 ? 0 : index + 3)

/** @param parts the bytes of the message */
export function messageOf(kind: MessageKind, job: number, ...parts: Uint8Array[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(kinds.indexOf(kind), 0)
  header.writeUInt32BE(job, 1)
  header.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, 0),
    5,
  )
  return Buffer.concat([header, ...parts])
}

/** Puts messages together from the chunks in which they arrive. */
export function openParser() {
  let chunks: Buffer[] = []
  let sizeBytes = 0
  const joined = () => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)]
    return chunks[0] ?? Buffer.alloc(0)
  }
  return {
    push: (chunk: Buffer): void => {
      chunks.push(chunk)
      sizeBytes += chunk.length
    },
    /**
     * @param bytesMaxOf the most that a message of this kind may have
     * @returns null: none is whole yet; `invalid`: none that may come, so the rest cannot be told apart
     */
    next: (bytesMaxOf: (kind: MessageKind) => number): Message | 'invalid' | null => {
      if (sizeBytes < HEADER_BYTES) return null
      if ((chunks[0]?.length ?? 0) < HEADER_BYTES) joined()
      const header = chunks[0] ?? Buffer.alloc(HEADER_BYTES)
      const kind = kinds[header.readUInt8(0)]
      const lengthBytes = header.readUInt32BE(5)
      if (kind === undefined || lengthBytes > bytesMaxOf(kind)) return 'invalid'
      if (sizeBytes < HEADER_BYTES + lengthBytes) return null
      const all = joined()
      const bytes = all.subarray(HEADER_BYTES, HEADER_BYTES + lengthBytes)
      chunks = [all.subarray(HEADER_BYTES + lengthBytes)]
      sizeBytes -= HEADER_BYTES + lengthBytes
      return { kind, job: header.readUInt32BE(1), bytes }
    },
    isEmpty: (): boolean => sizeBytes === 0,
  }
}
