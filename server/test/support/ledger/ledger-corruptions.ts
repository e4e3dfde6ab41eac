/** Every corruption of the ledger that verify() must report, by the fixture that it corrupts. */
import type { Corruption, EdgeCorruption } from './corruption.ts'
import { accountCorruptions } from './ledger-account-corruptions.ts'
import { edgeAuditCorruptions } from './ledger-edge-audit-corruptions.ts'
import { edgeHistoryCorruptions } from './ledger-edge-history-corruptions.ts'
import { edgePaymentCorruptions } from './ledger-edge-payment-corruptions.ts'
import { holdCorruptions } from './ledger-hold-corruptions.ts'
import { packageCorruptions } from './ledger-package-corruptions.ts'

export const corruptions: Corruption[] = [...accountCorruptions, ...packageCorruptions, ...holdCorruptions]
export const edgeCorruptions: EdgeCorruption[] = [
  ...edgeHistoryCorruptions,
  ...edgePaymentCorruptions,
  ...edgeAuditCorruptions,
]
