/**
 * What `npm test` prints: one line for each check and test as it ends, every failure whole at the end, and last the line
 * `N passed, N failed`.
 */
import path from 'node:path'
import { inspect, styleText } from 'node:util'

const colour = (style, text) => styleText(style, text, { stream: process.stdout })
const passMark = () => colour('green', '✔')
const failMark = () => colour('red', '✖')

export function createReport() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  const printedByFile = new Map()
  let tests = 0
  let fileShown = ''

  const line = (text) => process.stdout.write(`${text}\n`)

  return {
    check(name, passed, output) {
      counts[passed ? 'passed' : 'failed'] += 1
      line(`${passed ? passMark() : failMark()} ${name}`)
      if (!passed) failures.push({ title: name, text: output.trim() })
    },

    event({ type, data }, root) {
      if (type === 'test:stdout' || type === 'test:stderr') {
        printedByFile.set(data.file, (printedByFile.get(data.file) ?? '') + data.message)
      }
      if (type !== 'test:pass' && type !== 'test:fail') return
      const file = path.relative(root, data.file ?? data.name)
      // A file counts as a test of its own only when it broke outside its tests; a suite never does.
      const isFile = data.nesting === 0 && data.details?.type !== 'suite' && path.resolve(root, data.name) === data.file
      if (data.details?.type === 'suite' && !brokeItself(data)) return
      if (isFile && (type === 'test:pass' || data.details?.error?.failureType === 'subtestsFailed')) return
      if (!isFile && data.details?.error?.failureType === 'subtestsFailed') return
      if (file !== fileShown) {
        fileShown = file
        line(colour('bold', file))
      }
      tests += 1
      const name = isFile ? 'the file itself' : data.name
      const took =
        data.details?.duration_ms > 1000 ? colour('dim', ` ${(data.details.duration_ms / 1000).toFixed(1)} s`) : ''
      if (data.skip !== undefined || data.todo !== undefined) {
        counts.skipped += 1
        line(`  ${colour('yellow', '-')} ${name}${typeof data.skip === 'string' ? ` (${data.skip})` : ''}`)
      } else if (type === 'test:pass') {
        counts.passed += 1
        line(`  ${passMark()} ${name}${took}`)
      } else {
        counts.failed += 1
        line(`  ${failMark()} ${name}${took}`)
        failures.push({ title: `${file}: ${name}`, text: describe(data), file: data.file })
      }
    },

    failed: () => counts.failed > 0 || counts.passed === 0,

    summarise(tookMs) {
      if (tests === 0 && counts.failed === 0) this.check('tests', false, 'Not a single test was run.')
      for (const { title, text, file } of failures) {
        line(`\n${failMark()} ${colour('bold', title)}`)
        if (text) line(text.replace(/^/gm, '    '))
        const printed = file && printedByFile.get(file)
        if (printed) {
          line(colour('dim', '    The file printed, last:'))
          line(printed.trimEnd().split('\n').slice(-40).join('\n').replace(/^/gm, '    '))
          printedByFile.delete(file)
        }
      }
      const skipped = counts.skipped > 0 ? `${counts.skipped} skipped, ` : ''
      line(`\n${skipped}${(tookMs / 1000).toFixed(0)} s`)
      line(`${counts.passed} passed, ${counts.failed} failed`)
    },
  }
}

/** A suite's own failure (a hook that threw) is reported nowhere else. */
function brokeItself(data) {
  const kind = data.details?.error?.failureType
  return kind !== undefined && kind !== 'subtestsFailed'
}

function describe(data) {
  const error = data.details?.error?.cause ?? data.details?.error
  if (error instanceof Error) return error.stack ?? error.message
  return typeof error === 'string' ? error : inspect(error)
}
