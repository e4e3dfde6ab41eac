/**
 * The file that a child makes, on its way to the server: pieces, each behind its position and length. The child cannot
 * write a file itself, and the file is too large to wait in memory.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** 6 bytes of position, 4 of length. */
const HEADER_BYTES = 10

export function pieceHeader(position: number, lengthBytes: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUIntBE(position, 0, 6)
  header.writeUInt32BE(lengthBytes, 6)
  return header
}

/**
 * Writes the pieces to the file until the pipe ends.
 * @param bytesMax of the file; what a muxer writes twice (lengths, an index) counts twice
 * @returns false: the pieces are more than that, and the rest was not read
 */
export async function receivePieces(pipe: Readable, handle: FileHandle, bytesMax: number): Promise<boolean> {
  let header = Buffer.alloc(0)
  let position = 0
  let left = 0
  let total = 0
  for await (const received of pipe) {
    for (let chunk: Buffer = received; chunk.length > 0; ) {
      const isHeader = left === 0
      const part = chunk.subarray(0, isHeader ? HEADER_BYTES - header.length : left)
      chunk = chunk.subarray(part.length)
      if (!isHeader) {
        await handle.write(part, 0, part.length, position)
        position += part.length
        left -= part.length
        continue
      }
      header = Buffer.concat([header, part])
      if (header.length < HEADER_BYTES) continue
      position = header.readUIntBE(0, 6)
      left = header.readUInt32BE(6)
      total += left
      header = Buffer.alloc(0)
      if (total > bytesMax || position + left > bytesMax) return false
    }
  }
  return true
}
