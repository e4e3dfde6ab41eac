/** The queues of inspections: each may take the memory of its child and a core, so two of a queue run at a time. */
import { openSemaphore } from '../async/semaphore.ts'

export const queues = {
  /** Those of a worker's slots, which bound the queue: other films wait in the database. */
  film: openSemaphore({ permits: 2, queuedMax: Number.POSITIVE_INFINITY }),
  /** For those who wait: what is queued beyond is refused, here and below. */
  frames: openSemaphore({ permits: 2, queuedMax: 20 }),
  /** Apart from films, which take long. */
  image: openSemaphore({ permits: 2, queuedMax: 100 }),
  asset: openSemaphore({ permits: 2, queuedMax: 100 }),
}
