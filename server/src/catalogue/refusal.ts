/** What a model refuses of a request, by the field. */
import { AppError } from '../errors.ts'

export type Code =
  | 'INVALID_REQUEST'
  | `UNSUPPORTED_${'MODEL' | 'QUALITY' | 'ASPECT_RATIO' | 'MODE'}`
  | 'MODEL_UNAVAILABLE'
  | 'DURATION_OUT_OF_RANGE'

export const invalid = (code: Code, path: string, message: string) =>
  new AppError(code, message, { details: [{ path, message }] })
