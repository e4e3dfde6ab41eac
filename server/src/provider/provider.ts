/**
 * The interface of an AI provider. One adapter a vendor translates between this and the vendor's protocol, which no
 * other file knows; it holds no state and knows nothing of credits. To add one see CONTRIBUTING.md.
 */
import type { Failure } from '../film/failure.ts'
import type { Listing, Published, Wanted } from './published.ts'
import type { Mapping } from './request-mapping.ts'

/**
 * A task to submit. `callbackUrl` is signed and must be passed on unchanged; undefined: the vendor would refuse it.
 * `model` and `input`: the vendor's name of the model and the fields of its request, as the route in the catalogue maps
 * them; an image in `input` is what `upload` returned, where there is one.
 */
export type Task = {
  videoId: string
  callbackUrl: string | undefined
  model: string
  input: Record<string, unknown>
}

/** How a vendor finds a task again. `taskId` is unique at the account; the rest (at most 4 kB) is sealed in the row. */
export type Handle = { taskId: string; [name: string]: string }

/** What a film costs us. `amount`: decimal text. `unit`: `USD` or the vendor's own, such as `credits`. */
export type Cost = { amount: string; unit: string; stage: 'reserved' | 'final' }

/**
 * The outcome of a submit.
 * - `accepted`: the provider has the task. `report`: its state, where the response tells more than that.
 * - `refused`: permanently, because of its content or parameters.
 * - `not_accepted`: certainly not accepted, so a resubmit is safe. `retryable` false: not at this account, whose key,
 *   balance or URL is at fault. `retryAfterS`: from Retry-After. `isModelUnknown`: the vendor says that it has no such
 *   model, or none any more. `isFilmLost`: it does not keep its own film any more, which the task names.
 * - `unknown`: possibly accepted. Submits are at-most-once, so it is never sent again unless `find` says that there is
 *   none.
 */
export type SubmitOutcome =
  | { kind: 'accepted'; handle: Handle; report?: Report; cost?: Cost }
  | { kind: 'refused'; failure: Failure }
  | {
      kind: 'not_accepted'
      reason: string
      retryable: boolean
      retryAfterS?: number
      isModelUnknown?: true
      isFilmLost?: true
    }
  | { kind: 'unknown'; reason: string }

/**
 * The state of a task.
 * - `running`: `progress` 0..100; `queuePosition`: tasks before it; `remainingS`: seconds to its end; `note`: an
 *   unknown status word
 * - `completed`: `result` is the link to the film, or what `openResult` needs to open it
 * - `no_film`: completed, with neither a film nor a reason; the film may still follow
 * - `lost`: the vendor does not know the task any more
 */
export type Report = (
  | { kind: 'running'; progress: number | null; queuePosition?: number; remainingS?: number; note?: string }
  | { kind: 'completed'; result: string }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'no_film' }
  | { kind: 'lost' }
) & { cost?: Cost }

/** A callback as it arrived, before it is parsed. `headers`: in lower case. `query`: without our `ref` and `sig`. */
export type ReceivedCallback = {
  body: Buffer
  headers: Record<string, string | undefined>
  query: URLSearchParams
  now: Date
}

/**
 * What a callback says.
 * - `report`: the state of a task. `handle` null: the body names none
 * - `poll`: something has changed; the vendor's word is not proof enough, or says too little, so the task is polled at
 *   once
 * - `challenge`: the vendor checks our address
 * - `forged`: the vendor's own signature is wrong, or at `now` older than SIGNATURE_AGE_MAX_MS
 * - `unreadable`: the vendor is to send it again
 * - `try_later`: the keys that sign callbacks cannot be read now
 * `reply`: the body of our response, where the vendor wants a certain one; text is sent as text/plain.
 */
export type Callback =
  | { kind: 'report'; handle: Handle | null; report: Exclude<Report, { kind: 'no_film' }>; reply?: string | object }
  | { kind: 'poll'; handle: Handle | null; reply?: string | object }
  | { kind: 'challenge'; reply: string | object }
  | { kind: 'forged' | 'unreadable' | 'try_later' }

/** The age up to which a provider's own signature is valid. As much is granted to a provider whose clock is ahead. */
export const SIGNATURE_AGE_MAX_MS = 5 * 60_000

/** Where the bytes of a film are. `headers` go to the origin of `url` alone. `gone`: they never come. */
export type OpenedResult =
  | { kind: 'link'; url: string; headers?: Record<string, string> }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'gone'; failure: Failure }

/** An input to upload. `file`: read from disk as it is sent. */
export type UploadedFile = { file: Blob; contentType: string; name: string }

export type UploadOutcome =
  | { kind: 'uploaded'; value: string }
  | Extract<SubmitOutcome, { kind: 'refused' | 'not_accepted' }>

export type KeyCheck = { kind: 'accepted' } | { kind: 'refused'; reason: string }

/** What is left on our account, in `USD` or the vendor's own unit. `untold`: and why. */
export type Balance = { kind: 'told'; amount: number; unit: string } | { kind: 'untold'; reason: string }

/**
 * What every call of a provider takes. `headers`: to send besides the adapter's own (the trace). `maySend`: of a
 * submit, for its request (http-client.ts).
 */
export type CallOptions = { signal?: AbortSignal; headers?: Record<string, string>; maySend?: () => boolean }

/** Functions never throw; null: no answer, try again. Those that a vendor has no equivalent of are missing. */
export type Provider = {
  submit: (task: Task, options?: CallOptions) => Promise<SubmitOutcome>
  /** Missing at a vendor whose submit returns the film. */
  poll?: (handle: Handle, options?: CallOptions) => Promise<Report | null>
  readCallback?: (callback: ReceivedCallback) => Promise<Callback>
  /** `requested`: a poll tells whether it stops. `too_late`: it ended, or cannot stop. Finished films stay. */
  cancel?: (handle: Handle, options?: CallOptions) => Promise<'cancelled' | 'requested' | 'too_late' | null>
  /** Resolves an unknown submit where the vendor can be asked with certainty. */
  find?: (
    task: Task,
    sentAt: Date,
    options?: CallOptions,
  ) => Promise<{ kind: 'found'; handle: Handle; report?: Report } | { kind: 'none' } | null>
  /** Missing where `result` is a public link. */
  openResult?: (handle: Handle, result: string, options?: CallOptions) => Promise<OpenedResult | null>
  /** What a finished task cost, where a report may not have it; undefined when the vendor does not say. */
  readCost?: (handle: Handle, options?: CallOptions) => Promise<Cost | undefined>
  /**
   * Takes an image or a film to the vendor, where it accepts no link. `value`: what stands for it in the route's
   * mapping; a data URI where the vendor wants the bytes in the request.
   */
  upload?: (image: UploadedFile, options?: CallOptions) => Promise<UploadOutcome>
  /** Asks the vendor whether it takes our key, by a call that costs nothing. Missing where there is none. */
  checkKey?: (options?: CallOptions) => Promise<KeyCheck | null>
  /** Missing where no call tells what is left. */
  readBalance?: (options?: CallOptions) => Promise<Balance>
  close: () => Promise<void>
}

/** A provider in use. `id` is in settings, callback URLs and rows. `url` replaces every host of the vendor. */
export type Account = {
  id: string
  url: string
  apiKey: string
  webhookKey: string | null
  timeoutS: number
}

/**
 * What a vendor's protocol offers, for the table in docs/providers.md and `kinora providers`; what is a function of
 * `Provider` is not repeated here.
 */
export type Capabilities = {
  /** `signed`: by the vendor. `hint`: unsigned, so that the task is polled. null: the vendor sends none. */
  callback: 'signed' | 'hint' | 'trusted' | null
  /** The vendor refuses a task whose callback has another protocol. */
  callbackOver?: 'https'
  /** A callback alone fails a film. Else the task is polled first, which may contradict it. */
  failsByCallback?: true
  progress: 'percent' | 'queue' | 'percent and queue' | null
  /** Where the vendor tells what a film costs. */
  cost: 'submit' | 'poll' | null
  /** What the link to a film needs. */
  result: 'public link' | 'our key' | 'renewed' | 'bytes'
  /** `synchronous`: the submit returns the film, so a crash leaves it unknown. */
  submit: 'task' | 'synchronous'
  /** The vendor's own client, tested against the simulator's dialect: its npm package. */
  client: string | null
}

/** What the file of an adapter exports as `adapter`. */
export type Adapter = {
  capabilities: Capabilities
  /** The vendor's public address; null: the account names one. */
  url: string | null
  /** The request mapping of a route that has none: JSONata over the checked request. */
  input?: Mapping
  open: (account: Account) => Provider
  /**
   * Reads what the vendor publishes about its models by machine, by calls that cost nothing. Missing: it publishes no
   * list. @throws FetchError; Error with what is wrong with the list
   */
  readList?: (account: Account, wanted: Wanted) => Promise<Listing>
  /** The model of a vendor's document, or one of its list; null: the document is of another vendor. */
  readModel?: (document: unknown, name: string | null) => Published | null
}
