/** Variables of the environment that are no setting and look like one: a misspelt name would be left out in silence. */
import { nearest } from '../text/nearest.ts'
import type { Environment } from './setting-reader.ts'
import { declarationOf, namesOf, settings } from './settings.ts'

const FILE_SUFFIX = '_FILE'
/** A name differs from the one that is meant by a character in six: HOME and HOST are two names. */
const CHARACTERS_PER_MISTAKE = 6

/** @param accounts their names in settings, such as `FAL` @returns a sentence for each, without its value */
export function misspeltSettings(env: Environment, accounts: readonly string[]): string[] {
  return Object.entries(env).flatMap(([variable, value]) => {
    if (!value?.trim() || !/^[A-Z][A-Z0-9_]*$/.test(variable)) return []
    const suffix = variable.endsWith(FILE_SUFFIX) && !declarationOf(variable) ? FILE_SUFFIX : ''
    const name = variable.slice(0, variable.length - suffix.length)
    if (declarationOf(name)) return unknownAccount(variable, accounts)
    const meant = nearest(name, candidatesOf(name), CHARACTERS_PER_MISTAKE)
    return meant === null ? [] : [`${variable} is no setting, and has no effect: ${meant}${suffix} may be meant`]
  })
}

/** The settings of an account that there is not. */
function unknownAccount(variable: string, accounts: readonly string[]): string[] {
  const [, part] = /^PROVIDER_(\w+)_(?:URL|API_KEY|WEBHOOK_KEY)(?:_FILE)?$/.exec(variable) ?? []
  const isKnown = accounts.length === 0 || part === 'SIMULATOR'
  if (part === undefined || isKnown || accounts.includes(part)) return []
  const meant = nearest(part, accounts, CHARACTERS_PER_MISTAKE)
  const hint =
    meant === null ? 'catalogue/providers.json has the accounts' : `${variable.replace(part, meant)} may be meant`
  return [`${variable} is of no account, and has no effect: ${hint}`]
}

/** The names of all settings. A part that stands for any word is each word of the variable. */
function candidatesOf(variable: string): string[] {
  const words = variable.split('_')
  return Object.keys(settings)
    .flatMap(namesOf)
    .flatMap((name) => (name.includes('<') ? words.map((word) => name.replace(/<\w+>/, word)) : [name]))
}
