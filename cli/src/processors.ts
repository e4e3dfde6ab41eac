/** The payment processors that the simulator stands in for, each with the path of its webhooks at the server. */
const webhookPaths: Record<string, string> = {
  'payment-a': '/api/auth/payment-a/webhook',
  'payment-b': '/api/webhooks/payment-b',
}

/** `prefix`: of its settings, such as `PAYMENT_A`. */
export const processors = Object.entries(webhookPaths).map(([name, webhookPath]) => ({
  name,
  webhookPath,
  prefix: name.toUpperCase().replaceAll('-', '_'),
}))
