/** Figures that say what is wrong must not fail with it: while they cannot be read, what was read last, and when. */

/** `error`: why they could not be read now; null: they were. */
export type Known<T> = { value: T; readAt: Date; error: unknown }

/** Of each process and subject; the one that was read longest ago goes first. */
const SUBJECTS_MAX = 128

/** @param isOutage whether what was read last counts after this error; any other one is thrown */
export function openLastKnown<T>(
  now: () => Date,
  isOutage: (error: unknown) => boolean = () => true,
): (subject: string, read: () => Promise<T>) => Promise<Known<T>> {
  const last = new Map<string, Known<T>>()
  return async (subject, read) => {
    try {
      const known = { value: await read(), readAt: now(), error: null }
      last.delete(subject)
      last.set(subject, known)
      const [oldest] = last.keys()
      if (last.size > SUBJECTS_MAX && oldest !== undefined) last.delete(oldest)
      return known
    } catch (error) {
      const known = last.get(subject)
      if (!known || !isOutage(error)) throw error
      return { ...known, error }
    }
  }
}
