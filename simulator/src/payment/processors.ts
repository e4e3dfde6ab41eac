/** The payment processors that the simulator stands in for. */
import { paymentA } from './payment-a/processor.ts'
import { paymentB } from './payment-b/processor.ts'
import type { Processor } from './processor.ts'

export const processors: Processor[] = [paymentA, paymentB]

/** The processor of a record. */
export function processorOf(record: { processor: string }): Processor {
  const processor = processors.find(({ name }) => name === record.processor)
  if (!processor) throw new Error(`There is no payment processor ${record.processor}.`)
  return processor
}
