/** The refusal of everything that a rate limit refuses. */
import { AppError } from '../errors.ts'
import { counted } from '../text/counted.ts'

/** @param message what was too much, without a full stop @param resetMs the time until another attempt */
export function rateLimited(message: string, resetMs: number): AppError {
  const waitS = Math.max(1, Math.ceil(resetMs / 1000))
  return new AppError('RATE_LIMITED', `${message}; try again in ${waitText(waitS)}.`, { retryAfterS: waitS })
}

function waitText(seconds: number): string {
  if (seconds < 60) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}
