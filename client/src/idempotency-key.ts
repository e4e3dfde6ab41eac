/** The one place where keys of requests are made. */

/**
 * A new value for the header `Idempotency-Key`: 32 hexadecimal digits. It is made of random bytes, because randomUUID is
 * missing on pages that are not served over https, such as those of a service in a home network.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
