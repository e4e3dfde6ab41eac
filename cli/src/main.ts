/** `kinora <command>`: finds the command, runs it, and says in plain sentences what went wrong. */

import { help } from './help.ts'
import { postgresCommand } from './postgres.ts'
import { Refusal } from './cli-error.ts'
import { serverPart } from './server-command.ts'
import { type Ending, listenForEnding } from './shutdown.ts'
import { start } from './start.ts'

/** @returns the exit status */
type Command = (args: string[], ending: Ending) => Promise<number>

const commands: Record<string, Command> = {
  start,
  api: (_args, ending) => serverPart('api', ending),
  worker: (_args, ending) => serverPart('worker', ending),
  migrate: (_args, ending) => serverPart('migrate', ending),
  verify: (_args, ending) => serverPart('verify', ending),
  postgres: postgresCommand,
  help: async () => help(),
}

const [name = 'help', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (name === '--help' || name === '-h') help()
else if (!command) {
  process.stderr.write(`There is no command "${name}". "npx kinora help" lists the commands.\n`)
  process.exitCode = 2
} else {
  const ending = listenForEnding()
  try {
    process.exitCode = await command(args, ending)
  } catch (error) {
    process.exitCode = ending.signal.aborted ? 0 : 1
    // Without words: a child has already said on this terminal what is wrong.
    if (error instanceof Refusal) process.stderr.write(error.message && `${error.message}\n`)
    else if (!ending.signal.aborted) console.error(error)
  }
  // Signal handlers and the channel to a parent would keep the process open.
  process.exit()
}
