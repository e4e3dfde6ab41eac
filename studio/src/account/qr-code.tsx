/** A QR code: black on white in both themes, with a quiet zone of four modules: apps read nothing else reliably. */
import { t } from '@lingui/core/macro'
import { encode } from 'uqr'
import styles from './second-factor.module.css'

export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t`QR code for the authenticator app`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
