/** Sends every response of the harness to the validator of `npm run fuzz -- --prism` (proofs/fuzz/prism.mjs); in other runs there is none. */

const validatorUrl = process.env.TEST_VALIDATOR_URL

export async function sendToValidator(
  { method, target, sent }: { method: string; target: string; sent: Record<string, string> },
  response: Response,
  text: string,
): Promise<void> {
  if (!validatorUrl) return
  const exchange = {
    method,
    target,
    headers: sent,
    status: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    text,
  }
  const received = await fetch(validatorUrl, { method: 'POST', body: JSON.stringify(exchange) })
  await received.arrayBuffer()
}
