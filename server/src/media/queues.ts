/** The queues of inspections: each may take the memory of its child and a core, so two of a queue run at a time. */
import { openSemaphore } from '../async/semaphore.ts'

/** Of pictures, and of uploaded films and sounds, each apart: a user waits for the response, and a film takes long. */
export const uploadQueue = {
  permits: 2,
  queuedMax: 100,
  /**
   * Sent again, the file costs less than an unanswered connection: of 189 uploads at a time 12 had no response
   * after five minutes. With an inspection it is less than the minute for which proxies wait. Tests shorten it.
   */
  waitMaxMs: 30_000,
}

export const queues = {
  /** Those of a worker's slots, which bound the queue: other films wait in the database. */
  film: openSemaphore({ permits: 2, queuedMax: Number.POSITIVE_INFINITY }),
  /** For those who wait: what is queued beyond is refused, here and below. */
  frames: openSemaphore({ permits: 2, queuedMax: 20 }),
  image: openSemaphore(uploadQueue),
  asset: openSemaphore(uploadQueue),
  /** Those of a worker's slots, which bound the queue; one of a user, the one that has waited longest first. */
  cut: openSemaphore({ permits: 2, queuedMax: Number.POSITIVE_INFINITY }),
}
