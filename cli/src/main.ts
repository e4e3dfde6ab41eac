/** `kinora <command>`: runs the command and prints its errors as plain sentences. */

import { CliError, UsageError } from './cli-error.ts'
import { help, version } from './help.ts'
import { postgresCommand } from './postgres.ts'
import { runServerCommand, type ServerCommand, serverCommands } from './server-command.ts'
import { listenForShutdown, type Shutdown } from './shutdown.ts'
import { start } from './start.ts'

/** @returns the exit status */
type Command = (args: string[], shutdown: Shutdown) => Promise<number>

const serverCommand =
  (name: ServerCommand): Command =>
  (args, shutdown) =>
    runServerCommand(name, shutdown, args)

const commands: Record<string, Command> = {
  start,
  ...Object.fromEntries(serverCommands.map((name) => [name, serverCommand(name)])),
  postgres: postgresCommand,
  help: async ([name]) => help(name),
}

// New files are 0640 and new folders 0750, also those of child processes; PostgreSQL keeps 0700 for its own.
process.umask(0o027)

const [name = 'help', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (name === '--help' || name === '-h') help()
else if (name === '--version') version()
else if (!command) {
  process.stderr.write(`There is no command "${name}". "npx kinora help" lists the commands.\n`)
  process.exitCode = 2
} else {
  const shutdown = listenForShutdown()
  try {
    process.exitCode = await command(args, shutdown)
  } catch (error) {
    process.exitCode = shutdown.signal.aborted ? 0 : error instanceof UsageError ? 2 : 1
    // The message is empty when a child has printed the error already.
    if (error instanceof CliError || error instanceof UsageError)
      process.stderr.write(error.message && `${error.message}\n`)
    else if (!shutdown.signal.aborted) console.error(error)
  }
  // Signal handlers and the parent's IPC channel would keep the process alive.
  process.exit()
}
