/** What every command gets, and how it takes the data of a call. */
import type { Result } from '@kinora/client'
import type { Arguments } from './arguments.ts'
import { serviceError } from './exit.ts'
import type { Output } from './output.ts'

export type Context = Arguments & { output: Output; signal: AbortSignal }

/** @throws CommandError */
export function dataOf<T>({ data, error }: Result<T>): T {
  if (error) throw serviceError(error)
  return data
}
