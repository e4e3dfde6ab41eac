/**
 * Generated secrets for an installation whose operator has set none: created once and stored in `secrets.json`,
 * readable by this user only. In production no secret is generated; the operator sets them all.
 */
import { randomBytes, randomInt } from 'node:crypto'
import path from 'node:path'
import { readJson, writeJson } from './data-dir.ts'
import { processors } from './processors.ts'

const generators: Record<string, () => string> = {
  AUTH_SECRET: randomSecret,
  AI_CALLBACK_SECRET: randomSecret,
  ADMIN_PASSWORD: readablePassword,
  PROVIDER_A_API_KEY: randomSecret,
  PROVIDER_B_API_KEY: randomSecret,
  PROVIDER_B_WEBHOOK_KEY: randomSecret,
  ...Object.fromEntries(
    processors.flatMap(({ prefix }) => [
      [`${prefix}_API_KEY`, randomSecret],
      [`${prefix}_WEBHOOK_SECRET`, randomSecret],
    ]),
  ),
}

/**
 * Loads the secrets of the data folder; generates and stores those that are missing.
 * @returns a value for each name in `generators`
 * @throws CliError when the file is damaged or cannot be written
 */
export function loadSecrets(dataDir: string): Record<string, string> {
  const file = path.join(dataDir, 'secrets.json')
  const stored = readJson(file)
  const secrets: Record<string, string> = {}
  let isChanged = false
  for (const [name, generate] of Object.entries(generators)) {
    const value = stored[name]
    if (typeof value === 'string' && value) secrets[name] = value
    else {
      secrets[name] = generate()
      isChanged = true
    }
  }
  if (isChanged) writeJson(file, { ...stored, ...secrets })
  return secrets
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Four invented words such as `tafo-muki-rezu-lapo`: easy to read aloud and to type, with about 50 bits of entropy. */
function readablePassword(): string {
  const word = () => syllable() + syllable()
  return [word(), word(), word(), word()].join('-')
}

function syllable(): string {
  const consonants = 'bdfghjklmnprstvz'
  const vowels = 'aeiou'
  return consonants.charAt(randomInt(consonants.length)) + vowels.charAt(randomInt(vowels.length))
}
