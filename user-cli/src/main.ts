/** `kinora`, for users: runs a command, prints its errors as plain sentences, and ends with a documented status. */
import manifest from '../package.json' with { type: 'json' }
import { type CommandName, options, parseArguments } from './arguments.ts'
import { commands } from './commands.ts'
import { EXIT, usageError } from './exit.ts'
import { HELP, helpOf } from './help.ts'
import { openOutput, printError } from './output.ts'

const [first = 'help', ...further] = process.argv.slice(2)
// The commands of projects have two words.
const isTwoWords = first === 'project' && further[0]?.startsWith('-') === false
const [name, args] = isTwoWords ? [`project ${further[0]}`, further.slice(1)] : [first, further]
const isCommand = (text: string): text is CommandName => Object.hasOwn(options, text)

// A reader that has enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.done)
})

process.exitCode = await run()

async function run(): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(HELP)
    return EXIT.done
  }
  if (name === '--version') {
    process.stdout.write(`${manifest.version}\n`)
    return EXIT.done
  }
  const isJson = args.includes('--json')
  const interrupted = new AbortController()
  const interrupt = () => {
    // A second Ctrl-C ends at once.
    process.removeListener('SIGINT', interrupt)
    interrupted.abort()
  }
  process.on('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    if (name === 'project' && args.some((each) => each === '--help' || each === '-h')) {
      process.stdout.write(helpOf(name))
      return EXIT.done
    }
    if (name === 'project') throw usageError('Name what to do with projects: "kinora project --help" lists it.')
    if (!isCommand(name)) throw usageError(`There is no command "${name}". "kinora help" lists the commands.`)
    const { operandName, run: runCommand } = commands[name]
    const parsed = parseArguments(name, args, operandName)
    if (parsed.values.help) {
      process.stdout.write(helpOf(name))
      return EXIT.done
    }
    // As connect reads it.
    if (typeof parsed.values.team === 'string') process.env.KINORA_TEAM = parsed.values.team
    await runCommand({ ...parsed, output: openOutput(isJson), signal: interrupted.signal })
    return EXIT.done
  } catch (error) {
    // The command has said how to go on.
    if (interrupted.signal.aborted) return EXIT.interrupted
    return printError(error, isJson)
  } finally {
    process.removeListener('SIGINT', interrupt)
    process.removeListener('SIGTERM', interrupt)
  }
}
