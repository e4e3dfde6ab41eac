/**
 * H.264 without an encoder library (ITU-T H.264, baseline profile), and without loss. A macroblock of 16×16 pixels that
 * differs from its surroundings is sent as plain pixels (I_PCM); all others take some bits: they repeat what is left of
 * them, or what was there before. OpenH264 takes 1.2 s of CPU time for 5 s at 720p, and 400 MB of memory, and writes
 * warnings to the terminal.
 */
export type Size = { width: number; height: number }
/** Three bytes a pixel, row by row. */
export type Picture = Size & { data: Buffer }

export const MACROBLOCK = 16
/** Baseline profile with its constraints, and level 5.1, which hardware decoders know: 9.4 million pixels. */
const PROFILE_AND_LEVEL = 0x42e033
export const CODEC = `avc1.${PROFILE_AND_LEVEL.toString(16)}`
/** Values of `mb_type`. A frame that is no key frame has INTER_TYPES before them. */
const [LIKE_LEFT, PLAIN_PIXELS, INTER_TYPES] = [2, 25, 5]
const BAR = plainPixels({ width: 16, height: 16, data: Buffer.alloc(16 * 16 * 3, 'f2b03d', 'hex') }, 0, 0)

/** What precedes the key frame. @param coded in whole macroblocks; its left upper part, `shown`, is visible */
export function parameterSets(coded: Size, shown: Size): Buffer {
  const size = golomb(coded.width / MACROBLOCK - 1, coded.height / MACROBLOCK - 1)
  const cropped = golomb(0, (coded.width - shown.width) / 2, 0, (coded.height - shown.height) / 2)
  // The colours are BT.709 in limited range.
  const colours = `100110101${binary(0x01_01_01, 24)}000000`
  // Each frame follows the one that it refers to, and is shown after it.
  const sps = `${binary(PROFILE_AND_LEVEL, 24)}${golomb(0, 0, 2, 1)}0${size}111${cropped}${colours}1`
  // A slice may switch the deblocking filter off.
  const pps = `${golomb(0, 0)}00${golomb(0, 0, 0)}000${golomb(0, 0, 0)}1001`
  return Buffer.concat([unit(0x67, bytesOf(sps)), unit(0x68, bytesOf(pps))])
}

/** The first frame, which has all macroblocks. */
export function encodeKeyFrame(picture: Picture): Buffer {
  const parts: Buffer[] = []
  let bits = `${golomb(0, 7, 0)}0000${golomb(0)}00${golomb(0, 1)}`
  /** Which macroblocks above and left of the next one are plain pixels. */
  const isPlain = new Uint8Array(picture.width / MACROBLOCK)
  for (let y = 0; y < picture.height; y += MACROBLOCK) {
    for (const [column, above] of isPlain.entries()) {
      const x = column * MACROBLOCK
      if (x > 0 && isLikeLeft(picture, x, y)) {
        // No coefficients, which is coded by how many the neighbours have: plain pixels count as 16.
        bits += golomb(LIKE_LEFT, 1, 0) + (isPlain[column - 1] || above ? '000011' : '1')
        isPlain[column] = 0
      } else {
        parts.push(bytesOf(bits + golomb(PLAIN_PIXELS)), plainPixels(picture, x, y))
        bits = ''
        isPlain[column] = 1
      }
    }
  }
  return unit(0x65, ...parts, bytesOf(`${bits}1`))
}

/** A later frame: what was before, and the bar in the last row of macroblocks, longer by this frame's part of it. */
export function encodeBar({ width, height }: Size, index: number, last: number): Buffer {
  const columns = width / MACROBLOCK
  const start = Math.floor((columns * (index - 1)) / last)
  const end = Math.max(start + 1, Math.floor((columns * index) / last))
  const above = columns * (height / MACROBLOCK - 1)
  const type = golomb(INTER_TYPES + PLAIN_PIXELS)
  const parts = [bytesOf(`${golomb(0, 5, 0)}${binary(index % 16, 4)}000${golomb(0, 1, above + start)}${type}`), BAR]
  for (let column = start + 1; column < end; column++) parts.push(bytesOf(golomb(0) + type), BAR)
  return unit(0x61, ...parts, bytesOf(`${end < columns ? golomb(columns - end) : ''}1`))
}

/** Whether each row continues the two pixels left of it, which share their chroma. */
function isLikeLeft({ data, width }: Picture, x: number, y: number): boolean {
  for (let row = y; row < y + MACROBLOCK; row++) {
    const start = (row * width + x - 1) * 3
    const end = start + (MACROBLOCK + 1) * 3
    if (data.compare(data, start, end, start - 3, end - 3) !== 0) return false
  }
  return true
}

/** Luma, then chroma of every other row and column. BT.709, limited range. */
function plainPixels({ data, width }: Picture, x: number, y: number): Buffer {
  const bytes = Buffer.alloc(384)
  for (let at = 0; at < 256; at++) {
    const from = ((y + (at >> 4)) * width + x + (at & 15)) * 3
    const [red, green, blue] = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0]
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    bytes[at] = 16.5 + (luma * 219) / 255
    if (at & 17) continue
    const chroma = 256 + ((at >> 5) << 3) + ((at & 15) >> 1)
    bytes[chroma] = 128.5 + ((blue - luma) / 1.8556) * (224 / 255)
    bytes[chroma + 64] = 128.5 + ((red - luma) / 1.5748) * (224 / 255)
  }
  return bytes
}

/** Bits are texts of the digits 0 and 1. */
const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0')

/** Exponential-Golomb codes of whole numbers. */
const golomb = (...values: number[]): string =>
  values.map((value) => binary(value + 1, 2 * (value + 1).toString(2).length - 1)).join('')

/** The last byte is filled with zeros. */
const bytesOf = (bits: string): Buffer =>
  Buffer.from(bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [])

/** A NAL unit after a start code. Two zero bytes and a small one, which would look like one, are kept apart by a 3. */
function unit(type: number, ...content: Buffer[]): Buffer {
  const escaped = Buffer.concat(content)
    .toString('latin1')
    .replace(/\0\0(?=[\0-\cC])/g, '\0\0\x03')
  return Buffer.concat([Buffer.of(0, 0, 0, 1, type), Buffer.from(escaped, 'latin1')])
}
