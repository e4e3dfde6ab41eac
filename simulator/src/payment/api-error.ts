type Details = { param?: string; code?: string; type?: string }

/** An error response of a processor's API, to which each processor gives its own shape. `details` are payment-b's. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly details: Details
  constructor(statusCode: number, message: string, details: Details = {}) {
    super(message)
    this.statusCode = statusCode
    this.details = details
  }
}
