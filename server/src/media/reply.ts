/** The reply of an inspecting child, which a hostile file may have written. */
import Type from 'typebox'
import { Check } from 'typebox/value'
import { parseJson } from '../text/json-reader.ts'
import { assetRefusalCodes, imageRefusalCodes, MediaRefused, type RefusalCode } from './refusal.ts'

/**
 * Splits a reply into its line of JSON and the bytes after it. `line` is null when it is not JSON. It comes from a
 * process that may be compromised, so the caller validates it against the limits.
 * @param codes those of the child's refusals
 * @throws MediaRefused the child's refusal
 */
export function parseReply(bytes: Buffer, codes: readonly RefusalCode[]): { line: unknown; content: Buffer } {
  const lineEnd = bytes.indexOf('\n')
  const line = parseJson(bytes.toString('utf8', 0, lineEnd))
  if (Check(refusedReply, line) && codes.includes(line.refused.code))
    throw new MediaRefused(line.refused.code, line.refused.message)
  return { line, content: bytes.subarray(lineEnd + 1) }
}
const refusedReply = Type.Object({
  refused: Type.Object({
    code: Type.Enum([...imageRefusalCodes, ...assetRefusalCodes]),
    message: Type.String({ pattern: '^[^/\\\\]{1,200}$' }),
  }),
})
