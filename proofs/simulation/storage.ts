/** Storage and downloads of the simulated processes: films in memory, with failures and delays. */
import { FetchError } from '../../server/src/net/fetch-error.ts'
import type { SafeFetch } from '../../server/src/net/safe-fetch.ts'
import type { Storage } from '../../server/src/storage/storage.ts'
import type { FaultInjector } from './fault-injector.ts'
import { type Process, type Scheduler, sleepIn } from './scheduler.ts'

/** `taskId`: the provider's task that made it. */
export type Film = { taskId: string; isFilm: boolean; size: number; isThumbnail?: boolean }

/** What is stored, by key. Shared by all processes, and as durable as S3. */
export type Stored = Map<string, Film>

export function openSimulatedStorage(
  stored: Stored,
  process: Process,
  scheduler: Scheduler,
  injector: FaultInjector,
): Storage {
  const { random } = scheduler
  const change = (label: string, apply: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      // The request is on its way, whether or not the process lives when it arrives.
      scheduler.after(random.between(1, injector.injects('slow') ? 90_000 : 400), null, () => {
        const fails = injector.injects('storage fails')
        const isApplied = !fails || random.chance(0.3)
        if (isApplied) apply()
        scheduler.trace(
          process.name,
          `storage ${label}${fails ? (isApplied ? ', the response is lost' : ' fails') : ''}`,
        )
        scheduler.after(1, process, () => (fails ? reject(new Error('storage does not answer')) : resolve()))
      })
    })
  const unused = () => Promise.reject(new Error('not used by the simulated processes'))
  return {
    put: (key, file) => {
      const film = process.files.get(file) as Film | undefined
      if (!film) return Promise.reject(new Error('ENOENT'))
      return change(`put …${key.slice(-16)}`, () => stored.set(key, film))
    },
    remove: (key) => change(`remove …${key.slice(-16)}`, () => stored.delete(key)),
    origin: () => Promise.resolve(null),
    locate: unused,
    size: (key) => Promise.resolve(stored.get(key)?.size ?? null),
    read: unused,
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** The film behind a link, or the HTTP status that comes instead. */
export type FilmAt = (url: string, headers?: Record<string, string>) => Film | number

export function openSimulatedFetch(
  filmAt: FilmAt,
  process: Process,
  scheduler: Scheduler,
  injector: FaultInjector,
): SafeFetch {
  const { random } = scheduler
  return {
    // No simulated user names an input.
    checkUrl: () => {},
    checkHost: () => Promise.resolve(),
    get: () => Promise.reject(new Error('not used by the simulated processes')),
    toFile: async (url, file, { signal, headers, allow }) => {
      // A long download outlives the lease that it began under.
      await sleepIn(scheduler, process, random.between(20, injector.injects('slow') ? 150_000 : 3_000), signal)
      const { protocol, host } = new URL(url)
      if (protocol === 'http:' && allow !== `${host}:80`)
        throw new FetchError('SCHEME_REFUSED', 'A film comes over https.')
      const found = filmAt(url, headers)
      const failure = injector.injects('download fails') ? random.pick(failures)() : null
      scheduler.trace(
        process.name,
        `download ${url.slice(-24)}: ${failure?.code ?? (typeof found === 'number' ? found : 'ok')}`,
      )
      if (failure) throw failure
      if (typeof found === 'number')
        throw new FetchError('STATUS', 'The host answered with an error.', { status: found })
      process.files.set(file, found)
      return { contentType: 'video/mp4', sizeBytes: found.size }
    },
    close: () => Promise.resolve(),
  }
}

const failures = [
  () => new FetchError('TIMEOUT', 'films.example stopped answering.'),
  () => new FetchError('INCOMPLETE', 'films.example broke off in the middle of the file.'),
  () => new FetchError('STATUS', 'films.example answered with an error.', { status: 503 }),
  () => new FetchError('UNREACHABLE', 'films.example could not be reached.'),
]
