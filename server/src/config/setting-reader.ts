/**
 * Readers of one setting each. A value is trimmed, and a blank one counts as unset. A wrong value is a sentence in `problems`
 * and not an error, so that an operator learns of all of them at once; the reader then returns a value that nothing uses.
 */
import { readFileSync } from 'node:fs'

export type Environment = Record<string, string | undefined>
export type SettingReader = ReturnType<typeof settingReader>

const SECRET_BYTES_MIN = 24

/** @param problems receives a sentence for each setting that is missing or wrong */
export function settingReader(env: Environment, problems: string[]) {
  const production = env.NODE_ENV === 'production'

  /** The empty text when it is unset. */
  const given = (name: string): string => env[name]?.trim() ?? ''
  const isSet = (name: string): boolean => given(name) !== ''

  /** Without a fallback it is required. */
  const text = (name: string, fallback?: string): string => {
    const value = given(name)
    if (value) return value
    if (fallback === undefined) problems.push(`${name} is not set`)
    return fallback ?? ''
  }

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = given(name)
    if (!value) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
    return fallback
  }

  const boolean = (name: string, fallback: boolean): boolean => {
    const value = given(name).toLowerCase()
    if (!value) return fallback
    if (['on', 'true', '1', 'yes'].includes(value)) return true
    if (['off', 'false', '0', 'no'].includes(value)) return false
    problems.push(`${name} must be on or off, not "${value}"`)
    return fallback
  }

  /** In any case; the first value is the fallback. */
  const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
    const value = given(name).toLowerCase() || values[0]
    const found = values.find((each) => each === value)
    if (!found) problems.push(`${name} must be one of ${values.join(', ')}, not "${value}"`)
    return found ?? values[0]
  }

  const address = (name: string, fallback?: string): string => {
    const value = text(name, fallback)
    if (value && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) problems.push(`${name} must be an http(s) URL`)
    return value
  }
  /** An address to which paths are appended: without a trailing slash. */
  const url = (name: string, fallback?: string): string => address(name, fallback).replace(/\/+$/, '')

  /** Required everywhere; the minimum length is enforced in production only. */
  const secret = (name: string): string => {
    const value = text(name)
    if (production && value && Buffer.byteLength(value) < SECRET_BYTES_MIN) {
      problems.push(`${name} is shorter than ${SECRET_BYTES_MIN} bytes; make one with: openssl rand -base64 32`)
    }
    return value
  }

  /** In seconds. */
  const duration = (name: string, fallbackS: number): number =>
    isSet(name) ? (parseDuration(name, given(name), problems) ?? fallbackS) : fallbackS
  /** In seconds; null: `off`. */
  const durationOrOff = (name: string, fallbackS: number | null): number | null =>
    given(name).toLowerCase() === 'off' || (fallbackS === null && !isSet(name)) ? null : duration(name, fallbackS ?? 0)

  /** `host:port` pairs with commas between them. */
  const hostPorts = (name: string): string[] => {
    const entries = given(name)
      .split(',')
      .flatMap((entry) => entry.trim() || [])
    for (const entry of entries) {
      if (/^(\[[0-9a-f:.]+\]|[^\s:[\]]+):\d{1,5}$/i.test(entry)) continue
      problems.push(`${name} must be host:port pairs with commas between them; "${entry}" is not one`)
    }
    return entries
  }

  return {
    env,
    problems,
    production,
    given,
    isSet,
    text,
    integer,
    boolean,
    oneOf,
    address,
    url,
    secret,
    duration,
    durationOrOff,
    hostPorts,
  }
}

/**
 * @param others what else the setting may be, for the problem
 * @returns the seconds of "90", "90s", "15m", "24h" or "7d"; null for anything else, which is a problem
 */
export function parseDuration(name: string, value: string, problems: string[], others = ''): number | null {
  const match = /^(\d{1,9})\s*(s|m|h|d)?$/.exec(value.trim())
  const unitS = { s: 1, m: 60, h: 3600, d: 86_400 }[match?.[2] ?? 's'] ?? 1
  const seconds = Number(match?.[1]) * unitS
  if (match && seconds > 0) return seconds
  problems.push(`${name} must be a time such as 90s, 15m, 24h or 7d${others}, not "${value}"`)
  return null
}

/** @returns the content of the file that a setting names; null when it cannot be read, which is a problem */
export function readSettingFile(setting: string, file: string, problems: string[]): string | null {
  try {
    return readFileSync(file.trim(), 'utf8')
  } catch (error) {
    problems.push(`${setting}: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return null
  }
}
