/** The payment processors by their name. */
import type { Processor } from '../config/processors.ts'
import { paymentA } from './payment-a/processor.ts'
import { paymentB } from './payment-b/processor.ts'
import type { PaymentProcessor } from './processor.ts'

export const processors: Record<Processor, PaymentProcessor> = { 'payment-a': paymentA, 'payment-b': paymentB }
