/** The child process that evaluates JSONata: one reply for each question. See expression.ts for its limits. */
import { answersTo, type Question } from './expression-answer.ts'

process.on('message', async (question: Question) => {
  process.send?.(await answersTo(question))
})
// The server ends the child, so that what has begun ends well in a graceful shutdown.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
// Ready: the second of the first expression begins after the start.
process.send?.([])
