/**
 * The output of `npm test`: one line for each check and test when its file ends, every failure in full at the end, and
 * as last line `N passed, N failed`.
 */
import path from 'node:path'
import { styleText } from 'node:util'

const colour = (style, text) => styleText(style, text, { stream: process.stdout })
const passMark = () => colour('green', '✔')
const failMark = () => colour('red', '✖')
const OUTPUT_LINES = 40

const line = (text) => process.stdout.write(`${text}\n`)

function printOutput(output) {
  line(colour('dim', '    The file printed, last:'))
  line(output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n').replace(/^/gm, '    '))
}

export function createReport(root) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  let tests = 0

  function fail(title, text, output = '') {
    counts.failed += 1
    failures.push({ title, text, output })
  }

  function reportTest(title, { name, passed, skipped, durationMs, text }, output) {
    tests += 1
    const took = durationMs > 1000 ? colour('dim', ` ${(durationMs / 1000).toFixed(1)} s`) : ''
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
    file({ file, tests: all, problem, output, durationMs }) {
      const title = path.relative(root, file)
      line(`${colour('bold', title)}${colour('dim', ` ${(durationMs / 1000).toFixed(1)} s`)}`)
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
      const skipped = counts.skipped > 0 ? `${counts.skipped} skipped, ` : ''
      line(`\n${skipped}${(tookMs / 1000).toFixed(0)} s`)
      line(`${counts.passed} passed, ${counts.failed} failed`)
    },
  }
}
