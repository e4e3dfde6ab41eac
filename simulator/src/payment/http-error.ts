/** An error response. Pages show the message, and each processor's API has its own shape; `details` are payment-b's. */
export class HttpError extends Error {
  readonly statusCode: number
  readonly details: { param?: string; code?: string; type?: string }
  constructor(statusCode: number, message: string, details: HttpError['details'] = {}) {
    super(message)
    this.statusCode = statusCode
    this.details = details
  }
}
