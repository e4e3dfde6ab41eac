/**
 * The error codes of the API: of each its HTTP status, when it comes, what to do, and the schema of its details. The
 * types of the document and of `AppError`, and docs/errors.md, are made from this table.
 *
 * The code, message and details of an `AppError` are sent to the caller. Every other error is a bug: it is logged with
 * its stack, and the caller gets a 500 without details.
 */
import { type Static, type TSchema, Type } from 'typebox'

const text = (description: string) => Type.String({ description })
const integer = (description: string) => Type.Integer({ description })

const FieldProblem = Type.Object(
  {
    path: text('The field, such as options.style; body: the whole body, or the file that was sent'),
    message: text('What is wrong with it'),
    reason: Type.Optional(text('Of a file: why it is refused, such as TRUNCATED or TOO_LONG')),
    shot: Type.Optional(text('The id of the shot that is refused, of several that are generated together')),
    position: Type.Optional(integer('The place of that shot in its project, from 1')),
    code: Type.Optional(text('The code for that shot')),
    details: Type.Optional(Type.Unknown({ description: 'The details of that code' })),
  },
  { title: 'FieldProblem' },
)
/** What is wrong with fields, or with shots of a project. */
const FieldProblems = Type.Array(FieldProblem, { title: 'FieldProblems' })
export type FieldProblem = Static<typeof FieldProblem>

const shots = Type.Optional(Type.Array(FieldProblem, { description: 'Each shot that is refused, of several' }))

export const REASONS = [
  'code_ended',
  'code_network_limit',
  'code_not_new',
  'code_person_used',
  'code_unknown',
  'code_used_up',
  'email_not_verified',
  'impersonating',
  'impersonating_read_only',
  'key_suspended',
  'owed',
  'second_factor_missing',
  'sign_in_old',
  'test_key',
] as const
const reason = Type.Optional(Type.Enum([...REASONS], { title: 'RefusalReason', description: 'Why, for programs' }))

const details = {
  credits: Type.Object(
    { required: integer('Credits that the request costs'), available: integer('Credits that there are') },
    { title: 'MissingCredits' },
  ),
  budget: Type.Object(
    {
      required: integer('Credits that the request costs'),
      budget: integer('Credits of the budget'),
      used: integer('Credits of it that are spent or held'),
      period: Type.Optional(Type.Enum(['day', 'week', 'month'], { description: 'Absent: of a browser token' })),
      resetAt: Type.Optional(
        Type.Unsafe<Date | string>(Type.String({ format: 'date-time', description: 'When it begins anew' })),
      ),
    },
    { title: 'SpentBudget' },
  ),
  content: Type.Object(
    { categories: Type.Array(Type.String(), { description: 'What moderation found; may be empty' }), shots },
    { title: 'RefusedContent' },
  ),
  consent: Type.Object(
    { text: text('The statement'), version: text('Its version, for PUT /api/v1/video/consent'), shots },
    { title: 'NeededConsent' },
  ),
  role: Type.Object(
    {
      reason,
      needed: Type.Optional(text('The role that it needs in the team')),
      role: Type.Optional(text('The role of the caller')),
    },
    { title: 'MissingRight' },
  ),
  scope: Type.Object(
    { scope: text('The scope that it needs'), scopes: Type.Array(Type.String(), { description: 'Those of the key' }) },
    { title: 'MissingScope' },
  ),
  unknown: Type.Union([FieldProblems, Type.Object({ reason })], { title: 'NotFoundDetails' }),
  conflict: Type.Union(
    [
      FieldProblems,
      Type.Object({
        reason,
        owed: Type.Optional(integer('Credits that are owed; send them as `owed`')),
        available: Type.Optional(integer('Credits that can be moved or taken')),
        credits: Type.Optional(integer('What the shots cost now')),
        shots: Type.Optional(Type.Array(Type.Integer(), { description: 'Places of shots without a finished take' })),
        teams: Type.Optional(
          Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
            description: 'Teams of which the user is the last owner',
          }),
        ),
        plan: Type.Optional(
          Type.Union([Type.String(), Type.Null()], { description: 'The plan of the running subscription' }),
        ),
        status: Type.Optional(text('Its status')),
        text: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'The statement of today' })),
        version: Type.Optional(
          Type.Union([Type.Integer(), Type.String(), Type.Null()], {
            description: 'The version that there is now, of a project, a shot or the statement',
          }),
        ),
        changedBy: Type.Optional(
          Type.Object(
            { id: Type.String(), name: Type.Union([Type.String(), Type.Null()]) },
            { description: 'Who made that version' },
          ),
        ),
        changedAt: Type.Optional(text('When')),
      }),
    ],
    { title: 'ConflictDetails' },
  ),
  inProgress: Type.Object({ maxInProgress: integer('The most films in progress') }, { title: 'FullProgress' }),
  readiness: Type.Object(
    { database: Type.String(), storage: Type.String(), clock: Type.String() },
    { title: 'Unready' },
  ),
}

/** `isAlways`: it never comes without its details. */
type Row = { status: number; when: string; remedy: string; details?: TSchema & { title?: string }; isAlways?: true }

export const errors = {
  INVALID_REQUEST: {
    status: 400,
    when: 'A field, a header or the body is missing, unknown, of another kind or out of bounds',
    remedy: 'Change what `details` names: each field with its problem',
    details: FieldProblems,
  },
  UNSUPPORTED_MODEL: {
    status: 400,
    when: 'There is no model of that name',
    remedy: 'Choose one of `GET /api/v1/config/models`',
    details: FieldProblems,
  },
  MODEL_UNAVAILABLE: {
    status: 400,
    when: 'The operator has switched the model off, or no provider makes it now',
    remedy: 'Choose another model, or try again later',
    details: FieldProblems,
  },
  DURATION_OUT_OF_RANGE: {
    status: 400,
    when: 'The model makes no films of that length, or takes no input of that length',
    remedy: 'Take a duration of the model, or cut the input',
    details: FieldProblems,
  },
  UNSUPPORTED_QUALITY: {
    status: 400,
    when: 'The model has no such resolution, or not with these other values',
    remedy: 'Take one of those that the message names',
    details: FieldProblems,
  },
  UNSUPPORTED_ASPECT_RATIO: {
    status: 400,
    when: 'The model has no such aspect ratio, or not with these other values',
    remedy: 'Take one of those that the message names',
    details: FieldProblems,
  },
  UNSUPPORTED_MODE: {
    status: 400,
    when: 'The model has no such mode, or no mode that takes these inputs',
    remedy: 'Change the inputs or the model; `GET /api/v1/config/models` has the modes',
    details: FieldProblems,
  },
  CONTENT_REFUSED: {
    status: 400,
    when: 'Moderation refused the prompt or an input; nothing was charged',
    remedy: 'Change the prompt or the input; the same request is refused again',
    details: details.content,
    isAlways: true,
  },
  UNAUTHENTICATED: {
    status: 401,
    when: 'There is no credential, or it is wrong, was deleted or has ended',
    remedy: 'Do what the message says of the credential that was sent',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    when: 'The account has fewer credits than the request costs',
    remedy: 'Buy credits, or make a shorter or smaller film',
    details: details.credits,
    isAlways: true,
  },
  KEY_BUDGET_EXCEEDED: {
    status: 402,
    when: 'The budget of the API key, browser token, program or member is spent, or the limit of the account',
    remedy: 'Wait for `resetAt`, or raise the budget; those who run the service raise the limit',
    details: details.budget,
    isAlways: true,
  },
  FORBIDDEN: {
    status: 403,
    when: 'The caller may not do this: role, locked account, page of another address, link that is expired or not whole',
    remedy: 'Do what the message says; `details.reason` is for programs',
    details: details.role,
  },
  CONSENT_REQUIRED: {
    status: 403,
    when: 'Faces or voices are among the inputs, and the account has not stated that it may use them',
    remedy: 'Confirm the text by `PUT /api/v1/video/consent`, once',
    details: details.consent,
    isAlways: true,
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    when: 'The API key lacks the scope',
    remedy: 'Use or make a key that has it',
    details: details.scope,
    isAlways: true,
  },
  NOT_FOUND: {
    status: 404,
    when: 'There is no such thing, it was deleted, or it is another’s',
    remedy: 'Check the id and the team; read the list again',
    details: details.unknown,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The address has no such method',
    remedy: 'Take one of the header Allow',
  },
  CONFLICT: {
    status: 409,
    when: 'The state of things does not allow it now, or another request came first',
    remedy: 'Read it again, do what the message says, repeat',
    details: details.conflict,
  },
  PRECONDITION_FAILED: {
    status: 412,
    when: 'The version of tus that the client names is not spoken here',
    remedy: 'Send the header Tus-Resumable with the version that the response has',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The body or the file is too large, or all assets together are',
    remedy: 'Make it smaller, or delete assets',
    details: FieldProblems,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The Content-Type is none that is read here, or the file is of a kind that is not',
    remedy: 'Send JSON as application/json, and files of the kinds that the message names',
    details: FieldProblems,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The Idempotency-Key was sent before with another request',
    remedy: 'Take a new key for a new request',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'Requests, uploads or streams were too many',
    remedy: 'Wait for Retry-After, with jitter',
  },
  TOO_MANY_IN_PROGRESS: {
    status: 429,
    when: 'The account has as many films in progress as it may',
    remedy: 'Send it again when one has ended',
    details: details.inProgress,
    isAlways: true,
  },
  INTERNAL: {
    status: 500,
    when: 'A bug',
    remedy: 'Send it again with the same Idempotency-Key; tell the operator the requestId',
  },
  UNAVAILABLE: {
    status: 503,
    when: 'The database, the storage or a service behind this one does not answer, or the process is stopping',
    remedy: 'Wait for Retry-After and send it again, with the same Idempotency-Key',
    details: details.readiness,
  },
} as const satisfies Record<string, Row>

export type ErrorCode = keyof typeof errors
export const errorRow = (code: ErrorCode): Row => errors[code]
export const ERROR_CODES = Object.keys(errors) as ErrorCode[]
export const statusOf = Object.fromEntries(ERROR_CODES.map((code) => [code, errors[code].status])) as {
  [Code in ErrorCode]: (typeof errors)[Code]['status']
}

export type DetailsOf<Code extends ErrorCode> = Code extends ErrorCode
  ? (typeof errors)[Code] extends { details: infer Schema extends TSchema }
    ? Static<Schema>
    : never
  : never
/** `retryAfterS`: seconds after which the same request may succeed; sent as `Retry-After`. */
type Options<Code extends ErrorCode> = { details?: DetailsOf<Code> | undefined; retryAfterS?: number }
/** A code that always has details cannot be made without them. */
type Given<Code extends ErrorCode> = (typeof errors)[Code] extends { isAlways: true }
  ? [options: Options<Code> & { details: DetailsOf<Code> }]
  : [options?: Options<Code>]

export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly details: DetailsOf<Code> | undefined
  readonly retryAfterS: number | undefined

  /** @param message one sentence that the client's user can act on */
  constructor(code: Code, message: string, ...[options = {}]: Given<Code>) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.retryAfterS = options.retryAfterS
  }
}

/** The error for a cursor that is not the `nextCursor` of a page. */
export const unknownCursor = () =>
  new AppError('INVALID_REQUEST', 'The cursor must be the nextCursor of an earlier page.', {
    details: [{ path: 'cursor', message: 'must be the nextCursor of an earlier page' }],
  })

/** An operator can repair it: the message has the remedy, and no stack trace is printed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** The database's schema no longer accepts processes of this version. The message names both versions. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'
}
