/**
 * The secrets of a machine that nobody has given any: made once, kept in `secrets.json` for this user's eyes only.
 * In production nothing is made up: what is missing there is the operator's to set.
 */
import { randomBytes, randomInt } from 'node:crypto'
import path from 'node:path'
import { readJson, writeJson } from './data-dir.ts'

const makers: Record<string, () => string> = {
  AUTH_SECRET: longSecret,
  AI_CALLBACK_SECRET: longSecret,
  ADMIN_PASSWORD: readablePassword,
  PROVIDER_A_API_KEY: longSecret,
  PROVIDER_B_API_KEY: longSecret,
  PROVIDER_B_WEBHOOK_KEY: longSecret,
  PAYMENT_A_API_KEY: longSecret,
  PAYMENT_A_WEBHOOK_SECRET: longSecret,
  PAYMENT_B_API_KEY: longSecret,
  PAYMENT_B_WEBHOOK_SECRET: longSecret,
}

/**
 * The secrets kept in the folder; whatever is missing is made and kept from then on.
 * @returns one value for each name above
 * @throws Refusal when the file is damaged or cannot be written
 */
export function keptSecrets(dataDir: string): Record<string, string> {
  const file = path.join(dataDir, 'secrets.json')
  const kept = readJson(file)
  const secrets: Record<string, string> = {}
  let made = false
  for (const [name, make] of Object.entries(makers)) {
    const value = kept[name]
    if (typeof value === 'string' && value) secrets[name] = value
    else {
      secrets[name] = make()
      made = true
    }
  }
  if (made) writeJson(file, { ...kept, ...secrets })
  return secrets
}

function longSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Four made-up words such as `tafo-muki-rezu-lapo`: easy to read aloud and to type, 2^50 of them. */
function readablePassword(): string {
  const word = () => syllable() + syllable()
  return [word(), word(), word(), word()].join('-')
}

function syllable(): string {
  const consonants = 'bdfghjklmnprstvz'
  const vowels = 'aeiou'
  return consonants.charAt(randomInt(consonants.length)) + vowels.charAt(randomInt(vowels.length))
}
