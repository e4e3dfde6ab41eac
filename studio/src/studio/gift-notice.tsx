/** Says once why the new-user gift, which the studio calls welcome credits, did not come, or what it waits for. */
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { type Gift, giftText } from '../i18n/service-text.ts'
import { Button } from '../ui/button.tsx'

export function GiftNotice({ gift, onSeen }: { gift: Gift; onSeen: (seen: Gift) => unknown }) {
  const seen = useMutation({
    mutationFn: () => dataOf(kinora.POST('/api/v1/credit/gift/seen')),
    onSuccess: onSeen,
  })
  return (
    <section className="panel" aria-labelledby="gift-notice">
      <h2 id="gift-notice">{t`Your welcome credits`}</h2>
      <p>{giftText(gift)}</p>
      <div className="row">
        <Button busy={seen.isPending} onClick={() => seen.mutate()}>
          {t`I understand`}
        </Button>
      </div>
    </section>
  )
}
