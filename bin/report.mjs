/**
 * The output of `npm test`: one line for each check and test when its file ends, every failure in full at the end, and
 * as last line `N passed, N failed`.
 */
import path from 'node:path'
import { styleText } from 'node:util'
import { processorTimeMs } from './processor-time.mjs'

const colour = (style, text) => styleText(style, text, { stream: process.stdout })
const passMark = () => colour('green', '✔')
const failMark = () => colour('red', '✖')
const OUTPUT_LINES = 40
const DEAREST = 10

const seconds = (ms) => (ms / 1000).toFixed(1)
const line = (text) => process.stdout.write(`${text}\n`)

function printOutput(output) {
  line(colour('dim', '    The file printed, last:'))
  line(output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n').replace(/^/gm, '    '))
}

export function createReport(root) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  const costs = []
  let tests = 0

  function fail(title, text, output = '') {
    counts.failed += 1
    failures.push({ title, text, output })
  }

  function reportTest(title, { name, passed, skipped, durationMs, text }, output) {
    tests += 1
    const took = durationMs > 1000 ? colour('dim', ` ${seconds(durationMs)} s`) : ''
    if (skipped !== undefined) {
      counts.skipped += 1
      line(`  ${colour('yellow', '-')} ${name}${typeof skipped === 'string' ? ` (${skipped})` : ''}`)
    } else if (passed) {
      counts.passed += 1
      line(`  ${passMark()} ${name}${took}`)
    } else {
      line(`  ${failMark()} ${name}${took}`)
      fail(`${title}: ${name}`, text, output)
    }
  }

  return {
    check(name, passed, output) {
      line(`${passed ? passMark() : failMark()} ${name}`)
      if (passed) counts.passed += 1
      else fail(name, output.trim())
    },

    /** @param {import('./test-pool.mjs').FileResult} result */
    file({ file, tests: all, problem, output, durationMs, processorMs }) {
      const title = path.relative(root, file)
      costs.push({ title, processorMs })
      line(
        colour('bold', title) + colour('dim', ` ${seconds(durationMs)} s, ${seconds(processorMs)} s of processor time`),
      )
      for (const test of all) {
        // A test fails with its subtests, which are reported by themselves.
        if (test.failureType === 'subtestsFailed') continue
        reportTest(title, test, output)
      }
      if (problem) reportTest(title, { name: 'the file itself', passed: false, text: problem, durationMs }, output)
      else if (all.length === 0) {
        reportTest(title, { name: 'the file itself', passed: false, text: 'It has no tests.', durationMs }, output)
      }
    },

    failed: () => counts.failed > 0 || counts.passed === 0,

    summarise(tookMs) {
      if (tests === 0 && counts.failed === 0) this.check('tests', false, 'Not a single test was run.')
      const outputs = new Set()
      for (const { title, text, output } of failures) {
        line(`\n${failMark()} ${colour('bold', title)}`)
        if (text) line(text.replace(/^/gm, '    '))
        if (output && !outputs.has(output)) printOutput(output)
        outputs.add(output)
      }
      if (costs.length > DEAREST) {
        line('\nThe dearest files, in seconds of processor time:')
        const dearest = costs.sort((a, b) => b.processorMs - a.processorMs).slice(0, DEAREST)
        for (const { title, processorMs } of dearest) line(`${seconds(processorMs).padStart(7)} ${title}`)
      }
      const skipped = counts.skipped > 0 ? `${counts.skipped} skipped, ` : ''
      line(`\n${skipped}${seconds(tookMs)} s, ${seconds(processorTimeMs(process.pid))} s of processor time`)
      line(`${counts.passed} passed, ${counts.failed} failed`)
    },
  }
}
