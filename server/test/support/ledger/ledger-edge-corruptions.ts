/** Every corruption of the rows of ledger-edge-fixture.ts that verify() must report. */
import type { EdgeCorruption } from './corruption.ts'
import { edgeAuditCorruptions } from './ledger-edge-audit-corruptions.ts'
import { edgeHistoryCorruptions } from './ledger-edge-history-corruptions.ts'
import { edgePaymentCorruptions } from './ledger-edge-payment-corruptions.ts'

export const edgeCorruptions: EdgeCorruption[] = [
  ...edgeHistoryCorruptions,
  ...edgePaymentCorruptions,
  ...edgeAuditCorruptions,
]
