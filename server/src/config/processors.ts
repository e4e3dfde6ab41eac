/**
 * The payment processors: what their settings, their ids in plans.json and the documents need of them. Each speaks the
 * dialect of a vendor, which the folder of its name in server/src/payment translates; payment/processors.ts has these
 * folders.
 */
export const processors = {
  'payment-a': { dialect: 'Creem', url: 'https://api.creem.io', productPrefix: 'prod' },
  'payment-b': { dialect: 'Stripe', url: 'https://api.stripe.com', productPrefix: 'price' },
} as const

export type Processor = keyof typeof processors
export const processorNames = Object.keys(processors) as Processor[]

/** What one value for each processor is made into. */
export const forEachProcessor = <T>(make: (processor: Processor) => T): Record<Processor, T> =>
  Object.fromEntries(processorNames.map((each) => [each, make(each)])) as Record<Processor, T>

/** `A` of `payment-a`, in the names of its settings. */
export const processorPart = (processor: string): string =>
  processor
    .replace(/^payment-/, '')
    .toUpperCase()
    .replaceAll('-', '_')
