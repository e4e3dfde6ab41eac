/**
 * Reads one setting at a time, from the environment or, when it is a secret, from a file
 * (`AUTH_SECRET_FILE=/run/secrets/auth`). A value is trimmed, and a blank one counts as unset. A wrong value is a
 * sentence in `problems` and not an error, so that an operator learns of all of them at once.
 */
import { contentOf } from './setting-kinds.ts'
import { declarationOf, type Setting, type SettingName, type SettingValue, settings } from './settings.ts'

export type Environment = Record<string, string | undefined>
export type SettingReader = ReturnType<typeof settingReader>

const FILE_SUFFIX = '_FILE'
const FILE_BYTES_MAX = 64 * 1024

/** @param problems receives a sentence for each setting that is missing or wrong */
export function settingReader(environment: Environment, problems: string[]) {
  const env = withSecretFiles(environment, problems)
  const production = env.NODE_ENV === 'production'
  /** A part that may be left out is, where the setting with it is not set. */
  const nameOf = (declared: SettingName, part: string) => {
    const name = declared.replace(/<[^>]*>/, part)
    return env[name]?.trim() || !declared.includes('|>') ? name : declared.replace(/<[^>]*>/, '')
  }
  const isSet = (declared: SettingName, part = ''): boolean => Boolean(env[nameOf(declared, part)]?.trim())

  /** @param part takes the place of the one in brackets in the declared name */
  function read<N extends SettingName>(declared: N, part = ''): SettingValue<N> {
    const name = nameOf(declared, part)
    const { kind, value, secret }: Setting<unknown> = settings[declared]
    const given = env[name]?.trim()
    const before = problems.length
    const parsed = given ? kind.parse(given, { name, production, problems }) : undefined
    if (given && parsed === undefined && problems.length === before) {
      problems.push(`${name} must be ${kind.form}${secret ? '' : `, not "${given}"`}`)
    }
    const fallback = () => (value === null ? null : kind.parse(value, { name, production, problems }))
    return (parsed === undefined ? fallback() : parsed) as SettingValue<N>
  }

  /** Reads a setting that is missing when it is not set. */
  function need<N extends SettingName>(declared: N, part = ''): SettingValue<N> {
    if (!isSet(declared, part)) problems.push(`${nameOf(declared, part)} is not set: ${settings[declared].meaning}`)
    return read(declared, part)
  }

  return { env, problems, production, isSet, read, need }
}

/** @returns the environment with the content of each `…_FILE`, without spaces and line breaks around it */
function withSecretFiles(env: Environment, problems: string[]): Environment {
  const result = { ...env }
  for (const [setting, file] of Object.entries(env)) {
    const name = setting.slice(0, -FILE_SUFFIX.length)
    if (!setting.endsWith(FILE_SUFFIX) || !declarationOf(name)?.secret || !file?.trim()) continue
    if (env[name]?.trim()) {
      problems.push(`${name} and ${setting} are both set; keep one of them`)
      continue
    }
    const content = contentOf(file, { name: setting, problems })
    if (content === undefined) continue
    if (content.length > FILE_BYTES_MAX) problems.push(`${setting}: the file is too large for a secret`)
    else if (content.trim() === '') problems.push(`${setting}: the file ${file} is empty`)
    else result[name] = content.trim()
  }
  return result
}

/**
 * Removes the secrets from an environment, so that no child process, crash report or library gets them.
 * `/proc/<pid>/environ` shows the environment that the process started with all the same, for its user and root: only a
 * file keeps a secret out.
 * @returns the secrets that were removed: the primary of several API processes starts its children with them
 */
export function wipeSecrets(env: Environment): Environment {
  const secrets = Object.entries(env).filter(([name]) => declarationOf(name)?.secret)
  for (const [name] of secrets) delete env[name]
  return Object.fromEntries(secrets)
}
