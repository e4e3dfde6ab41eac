/** Copies a text to the clipboard and reports the result on the button itself, which is a live region. */
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Button, type ButtonKind } from './button.tsx'
import { copyText } from './clipboard.ts'

type Props = { text: string; label?: string; kind?: ButtonKind }

export function CopyButton({ text, label = t`Copy`, kind = 'plain' }: Props) {
  const [result, setResult] = useState('')
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(''), 2000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async () => setResult((await copyText(text)) ? t`Copied` : t`Mark the text and copy it by hand`)
  return (
    <Button kind={kind} onClick={copy} aria-live="polite">
      {result || label}
    </Button>
  )
}
