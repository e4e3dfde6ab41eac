/** What a drawn sample does not tell: the simulator made it, and no model. No page of a first load of a user has it. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'

/** Nothing where no sample is drawn. */
export const DrawnNote = ({ models }: { models: Pick<Schemas['Model'], 'isSampleDrawn'>[] }) =>
  models.some(({ isSampleDrawn }) => isSampleDrawn) ? (
    <p className="quiet">{t`The simulator stands in for models here, and has drawn their samples.`}</p>
  ) : null
