/** Reads the ZIPs that the service streams. */
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'

/** The entries of a ZIP whose entries are stored without compression, by its central directory; checks each CRC. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  assert.ok(end >= 0, 'the ZIP has an end')
  const entries = new Map<string, Buffer>()
  for (let at = zip.readUInt32LE(end + 16), n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const [crc, size, nameLength] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)]
    const header = zip.readUInt32LE(at + 42)
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const content = zip.subarray(start, start + size)
    assert.equal(crc32(content), crc)
    entries.set(zip.toString('utf8', at + 46, at + 46 + nameLength), content)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}
