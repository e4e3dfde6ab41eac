/**
 * The child process that inspects one film or sound that a user uploads, and writes what is kept of it. See
 * inspecting-child.ts for what it is given.
 */
import 'node-webcodecs/register'
import { Logging, LogLevel } from 'mediabunny'
import { getNativeVariant } from 'node-webcodecs'
import type { ChildOptions } from '../child-process.ts'
import { answer, setUpChild } from '../inspecting-child.ts'
import type { AssetJob } from './asset.ts'
import { keepMedium } from './keep.ts'

const { limits, bytes } = setUpChild<AssetJob & ChildOptions>()
// A missing native library is a failure of the server, so it must surface before the file is read.
if (getNativeVariant() === undefined) throw new Error('The decoder for films could not be loaded.')
Logging.level = LogLevel.Silent

await answer(
  async () => ({ line: { medium: await keepMedium(bytes, limits) } }),
  'The file is damaged and cannot be read; save it anew.',
)
