/** What the child does with one film or sound that a user uploads: it sends what is kept of it. */
import 'node-webcodecs/register'
import { Logging, LogLevel } from 'mediabunny'
import type { Inspect } from '../job.ts'
import type { AssetJob } from './asset.ts'
import { keepMedium } from './keep.ts'

export const damaged = 'The file is damaged and cannot be read; save it anew.'

Logging.level = LogLevel.Silent

export const inspect: Inspect<AssetJob> = async (job, file) => ({ line: { medium: await keepMedium(file, job) } })
