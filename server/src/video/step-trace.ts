/** The spans of a run step and of its calls of a provider. Without tracing each function only runs what it is given. */
import type { App } from '../app.ts'
import type {
  Handle,
  OpenedResult,
  Provider,
  Report,
  SubmitOutcome,
  Task,
  UploadedFile,
  UploadOutcome,
} from '../provider/provider.ts'
import { inSpan, type Span } from '../tracing/tracing.ts'
import type { Step } from './outcome.ts'

const STEP_NAMES = { PENDING: 'submit', GENERATING: 'poll', UPLOADING: 'collect', COMPLETED: 'none', FAILED: 'none' }

export function traceStep(app: App, step: Step, run: (step: Step) => Promise<void>): Promise<void> {
  const { tracing } = app
  if (!tracing) return run(step)
  const { id, userId, status, model, attempt } = step.video
  const attributes = { 'kinora.video.id': id, 'user.id': userId, 'kinora.model': model, 'kinora.attempt': attempt }
  return inSpan(tracing.rootOf(id), `video.${STEP_NAMES[status]}`, { attributes }, (span) => run({ ...step, span }))
}

/** @param id that of the provider's account */
export const submitTask = (
  { span, signal }: Step,
  id: string,
  provider: Provider,
  task: Task,
  maySend: () => boolean,
): Promise<SubmitOutcome> =>
  inSpan(span, 'provider.submit', callOf(id), async (call) => {
    const outcome = await provider.submit(task, { signal, headers: headersOf(call), maySend })
    call?.set({ 'kinora.outcome': outcome.kind })
    return outcome
  })

export const findTask = (
  { span, signal }: Step,
  id: string,
  find: NonNullable<Provider['find']>,
  task: Task,
  sentAt: Date,
): ReturnType<typeof find> =>
  inSpan(span, 'provider.find', callOf(id), async (call) => {
    const found = await find(task, sentAt, { signal, headers: headersOf(call) })
    call?.set({ 'kinora.outcome': found?.kind ?? 'none' })
    return found
  })

export const pollTask = (
  { span, signal }: Step,
  id: string,
  poll: NonNullable<Provider['poll']>,
  handle: Handle,
): Promise<Report | null> =>
  inSpan(span, 'provider.poll', callOf(id), async (call) => {
    const report = await poll(handle, { signal, headers: headersOf(call) })
    call?.set({ 'kinora.outcome': report?.kind ?? 'none' })
    return report
  })

export const uploadInput = (
  { span, signal }: Step,
  id: string,
  upload: NonNullable<Provider['upload']>,
  file: UploadedFile,
): Promise<UploadOutcome> =>
  inSpan(span, 'provider.upload', callOf(id), async (call) => {
    const outcome = await upload(file, { signal, headers: headersOf(call) })
    call?.set({ 'kinora.outcome': outcome.kind })
    return outcome
  })

export const openTaskResult = (
  { span, signal }: Step,
  id: string,
  openResult: NonNullable<Provider['openResult']>,
  handle: Handle,
  result: string,
): Promise<OpenedResult | null> =>
  inSpan(span, 'provider.result', callOf(id), async (call) => {
    const opened = await openResult(handle, result, { signal, headers: headersOf(call) })
    call?.set({ 'kinora.outcome': opened?.kind ?? 'none' })
    return opened
  })

export const readTaskCost = (
  { span, signal }: Step,
  id: string,
  readCost: NonNullable<Provider['readCost']>,
  handle: Handle,
) => inSpan(span, 'provider.cost', callOf(id), (call) => readCost(handle, { signal, headers: headersOf(call) }))

/** Less than PROVIDER_TIMEOUT: a user waits for the answer. */
const CANCEL_TIMEOUT_MS = 10_000

export const cancelTask = (
  { tracing }: Pick<App, 'tracing'>,
  { id: videoId }: Pick<Step['video'], 'id'>,
  id: string,
  cancel: NonNullable<Provider['cancel']>,
  handle: Handle,
) =>
  inSpan(tracing?.rootOf(videoId), 'provider.cancel', callOf(id), async (call) => {
    const answer = await cancel(handle, { signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS), headers: headersOf(call) })
    call?.set({ 'kinora.outcome': answer ?? 'none' })
    return answer
  })

const callOf = (id: string) => ({ kind: 'client' as const, attributes: { 'kinora.provider': id } })
const headersOf = (span: Span | null): Record<string, string> => (span ? { traceparent: span.traceparent } : {})
