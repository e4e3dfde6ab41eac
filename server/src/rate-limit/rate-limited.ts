/** The refusal of everything that a rate limit refuses. */
import { AppError } from '../errors.ts'
import { counted } from '../text/counted.ts'

/** @param message what was too much, without a full stop @param resetMs the time until another attempt */
export function rateLimited(message: string, resetMs: number): AppError {
  const waitS = Math.max(1, Math.ceil(resetMs / 1000))
  const wait = waitS < 60 ? counted(waitS, 'second') : counted(Math.ceil(waitS / 60), 'minute')
  return new AppError('RATE_LIMITED', `${message}; try again in ${wait}.`, { retryAfterS: waitS })
}
