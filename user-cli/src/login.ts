/** `kinora login`: asks for an API key without showing it, checks it, and stores it. */
import { createInterface } from 'node:readline/promises'
import { openKinora } from '@kinora/client'
import { textOf } from './arguments.ts'
import { configFile, parseUrl, storeLogin } from './config.ts'
import type { Context } from './context.ts'
import { serviceError, usageError } from './exit.ts'

export async function login({ values, output, signal }: Context): Promise<void> {
  const given = textOf(values.url) ?? (process.env.KINORA_URL || (await ask('Address of the service: ', false, signal)))
  const url = parseUrl(given.trim())
  const hasInput = values['with-key'] === true || !process.stdin.isTTY
  const apiKey = (hasInput ? await readInput() : await ask('API key (it is not shown): ', true, signal)).trim()
  if (!apiKey) throw usageError('There was no key. Make one in the studio under API keys.')
  const { data: key, error } = await openKinora({ baseUrl: url, apiKey }).GET('/api/v1/key', { signal })
  if (error) throw serviceError(error)
  if ('subject' in key) throw usageError('This is the token of a page, which ends in minutes; give an API key.')
  storeLogin({ url, apiKey })
  const { name, scopes, budget } = key
  const may = `It may ${scopes.join(', ')}${budget ? `, and spend ${budget.credits} ${budget.credits === 1 ? 'credit' : 'credits'} a ${budget.period}` : ''}.`
  output.result(
    { url, key, file: configFile() },
    `Signed in to ${url} with the key "${name}", which ${configFile()} keeps. ${may}`,
  )
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** @throws CommandError without a terminal: there is no user to ask */
export async function ask(question: string, isSecret: boolean, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw usageError('Name the address of the service with --url.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  // What is typed is echoed by this function of the interface.
  if (isSecret) {
    process.stderr.write(question)
    Object.assign(terminal, { _writeToOutput: () => {} })
  }
  try {
    return await terminal.question(isSecret ? '' : question, { signal })
  } finally {
    terminal.close()
    if (isSecret) process.stderr.write('\n')
  }
}
