/**
 * The reporter of a test worker: sends each finished test, and at last the end of its file, to the pool. Errors become
 * text here, where they are whole.
 */
import { inspect } from 'node:util'

export default async function* reporter(events) {
  const stray = []
  // Errors that arrive outside every test, such as a rejection after the end of its test: node:test catches them and
  // sets the exit status, but reports them only when the process ends.
  for (const name of ['uncaughtException', 'unhandledRejection']) process.on(name, (error) => stray.push(textOf(error)))
  for await (const { type, data } of events) {
    if (type === 'test:dequeue' && data.nesting > 0) send({ started: data.name })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { error, duration_ms: durationMs } = data.details
    const test = {
      name: data.name,
      passed: type === 'test:pass',
      skipped: data.skip ?? data.todo,
      durationMs,
      failureType: error?.failureType,
      text: error === undefined ? '' : textOf(error.cause ?? error),
    }
    if (data.nesting > 0) send({ test })
    else {
      const problem = process.exitCode ? (stray.at(-1) ?? `The exit status was set to ${process.exitCode}.`) : ''
      process.exitCode = undefined
      stray.length = 0
      send({ end: { ...test, problem } })
    }
  }
}

const send = (message) => process.connected && process.send(message)

function textOf(error) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error)
  // fast-check's error has the counterexample, and its cause says what is wrong with it.
  const cause = error.cause === undefined ? '' : `\nCaused by: ${textOf(error.cause)}`
  return (error.stack ?? error.message) + cause
}
