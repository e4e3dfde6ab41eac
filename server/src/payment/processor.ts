/**
 * The interface of a payment processor. The folder of its name translates between this and the vendor's wire format,
 * which no other file knows; it holds no state and writes no row. To add one see CONTRIBUTING.md.
 */
import type { App } from '../app.ts'
import type { PaymentSettings } from '../config/config.ts'
import type { Found, ReadContext } from './account-reader.ts'
import type { Mode, PaymentEvent } from './effect.ts'
import type { Plans, Product } from './plans.ts'

/** A webhook as it arrived, before its body is parsed. `headers`: in lower case. `secret`: of the settings. */
export type ReceivedWebhook = {
  body: Buffer
  headers: Record<string, string | string[] | undefined>
  secret: string
  now: Date
}

/** `id`: the processor's, of a checkout. */
export type Page = { url: string; id: string | null }
/** `userId`: for whom it is bought, a user or a team; `payerId`: the user who pays, with this address. */
export type Buyer = { userId: string; payerId: string; email: string }

/** A customer that was deleted at the processor, where its portal and new checkouts for it fail for ever. */
export class UnknownCustomer extends Error {}

/** `subscription`: the processor's id. */
export type PlanChange = { subscription: string; product: Product }
/** An invoice or receipt, in the currency's smallest unit. `url`: its page; null: the portal has it. */
export type PaymentDocument = {
  id: string
  number: string | null
  status: string
  amount: number
  currency: string
  createdAt: Date
  url: string | null
  pdfUrl: string | null
}
/** `amount` is due at `at`; `credited` goes to the balance that pays later invoices. */
export type Preview = { amount: number; credited: number; currency: string; at: Date }

/** A charge: its id, of which all idempotency keys are made, and how often the processor gave no answer. */
export type Charge = {
  id: string
  attempt: number
  userId: string
  customer: string
  product: Product
  /** It waits for its payer, so that the card is not asked again; it is over, so that the invoice is voided. */
  isWaiting: boolean
  isOver: boolean
}
/** Why nothing was charged; balance: the customer's money at the processor would pay, which brings no credits. */
export type ChargeRefusal = 'no_card' | 'declined' | 'balance' | 'expired'
/** `id`: of the invoice. `event`: what its webhook brings. `url`: where the payer confirms the payment. */
export type Charged =
  | { state: 'paid'; id: string; event: object }
  | { state: 'action'; id: string; url: string }
  | { state: 'failed'; id: string | null; reason: ChargeRefusal }

/** Charges of a saved card without its owner. */
export type OffSession = {
  hasCard: (customer: string) => Promise<boolean>
  /** The page that saves a card, for a new customer too. */
  cardPage: (user: Buyer, customer: string | null) => Promise<Page>
  /** Idempotent by the id of the charge. @throws when it is not known what became of it */
  charge: (charge: Charge) => Promise<Charged>
}

/**
 * The pages of a processor. A checkout without the user's customer there makes one; our metadata in it names the user
 * and the offer.
 * @throws UnknownCustomer; any other error means that the processor cannot be reached
 */
export type PaymentClient = {
  checkout: (product: Product, offerId: string, user: Buyer, customer: string | null) => Promise<Page>
  portal: (customer: string, change: PlanChange | null) => Promise<Page>
  /** The customer's newest 100 invoices, and as many receipts. */
  documents: (customer: string) => Promise<PaymentDocument[]>
  /** What a change of the plan costs; null: no call tells it, the processor's page does. */
  preview: ((change: PlanChange) => Promise<Preview>) | null
  /** Null: it charges no customer who is away. */
  offSession: OffSession | null
  close: () => Promise<void>
}

/** `read` and `send` throw an AccountError, without a body, when there is no answer, or another call may change it. */
export type Account = {
  read: (path: string) => Promise<unknown>
  /** @returns a success, or why the processor refuses */
  send: (path: string, body: string, headers: Record<string, string>) => Promise<Sent>
  close: () => Promise<void>
}
export type Sent = { body: unknown; isRefused: boolean; status: number }

/** What an event tells of a dispute, or of a payment that failed. */
export type Notice = {
  about: 'dispute' | 'failure'
  /** The dispute; or the payment, invoice or subscription that failed. */
  objectId: string
  /** In the processor's words, as the next two. */
  status: string | null
  reason: string | null
  /** The payment method that was tried. */
  tried: string | null
  /** In the currency's smallest unit. */
  amount: number | null
  currency: string | null
  /** Until when a dispute is answered; when a failed payment is tried again. */
  dueAt: Date | null
  /** How often it was tried. */
  attempts: number | null
}

/** `key`: the idempotency key. `ids`: the objects of the payment. `cents`: null for all that is left. */
export type RefundRequest = { key: string; orderNo: string; ids: string[]; cents: number | null }
/** The processor's id of the refund, where it names one; or why it refuses. */
export type RefundAnswer = { externalId: string | null } | { refusal: string }

/** `get`: reads a path of the API, with backoff. */
export type MovementContext = Pick<ReadContext, 'app' | 'get'> & { since: Date; until: Date }

/** One movement of money in the account, as the processor's own report has it; out of it is negative. */
export type Movement = {
  at: Date
  /** payment, refund, dispute, or the processor's word for any other. */
  kind: string
  /** The processor's id of it. */
  id: string
  /** What it is about: the payment, charge, order. */
  ids: string[]
  /** In the smallest unit of the account's currency, with tax, before the fee. */
  gross: number
  /** Null: the processor does not tell. */
  fee: number | null
  currency: string
  /** What the payer paid or got back, in the payer's currency. */
  charged: number
  chargedCurrency: string
  /** Null: the processor does not tell here; the payment may. */
  country: string | null
  /** The payout that it was in; null: none yet, or the processor does not tell. */
  payout: string | null
}

export type PaymentProcessor = {
  /** Where it sends its webhooks; below /api/auth, better-auth serves it. */
  webhookPath: string
  /** Whether a webhook is the processor's and recent. An error counts as a wrong signature, and is logged. */
  verify: (webhook: ReceivedWebhook) => boolean
  /**
   * The effects of an event; null when the body is none. `now` replaces a time that it lacks.
   * @throws AppError INVALID_REQUEST with what the operator has to change, for a body that is sent by a wrong setting
   */
  translate: (body: unknown, plans: Plans, now: Date) => PaymentEvent | null
  /** The mode of the API key; null when it does not show, as for a key of the simulator. */
  modeOf: (settings: PaymentSettings) => Mode | null
  /** Headers of each call of its API. */
  headersOf: (settings: PaymentSettings) => Record<string, string>
  /** Paths of its API: a list with one entry, for a check of the key; a subscription, without its id. */
  paths: { probe: string; subscription: string }
  /** Reads what was paid, refunded and disputed in its account, as events. @throws AccountError */
  readAccount: (context: ReadContext) => AsyncGenerator<Found[]>
  /** Reads the movements of a period of at most a month, newest first. @throws AccountError */
  readMovements: (context: MovementContext) => AsyncGenerator<Movement[]>
  open: (app: App, settings: PaymentSettings) => PaymentClient
  /** Refunds a payment; null: the processor has no such call. A repetition with the same key refunds nothing more. */
  refund: {
    /** Whether a part of a payment can be refunded. */
    takesPart: boolean
    /** @throws AccountError when the answer is not known */
    send: (account: Account, request: RefundRequest) => Promise<RefundAnswer>
  } | null
  /** Types of events that open a dispute, and that tell of a payment which failed. */
  noticeTypes: { dispute: string[]; failure: string[] }
  /** What an event of a dispute, or of a payment that failed, tells; null: it is of neither. */
  noticeOf: (body: unknown) => Notice | null
  /** The page of a dispute or a payment in the processor's own pages. */
  pageOf: (settings: PaymentSettings, kind: 'disputes' | 'payments', id: string) => string
}

/** The timeout of a call that a user waits for. */
export const PAGE_TIMEOUT_S = 15

/**
 * The page after a payment: the plans page, which waits for the credits of this product. `since`, in milliseconds of
 * the epoch, distinguishes them from an earlier purchase's; the page trusts nothing else in its URL. `checkout_id`, of
 * the processor, says that the payer finished the checkout: payment-a returns by this URL after a declined card too,
 * without it.
 */
export const successUrl = ({ config, now }: App, { id }: Product, { userId, payerId }: Buyer): string =>
  `${config.publicUrl}/plans?paid=${id}&since=${now().getTime()}${userId === payerId ? '' : `&team=${userId}`}`
