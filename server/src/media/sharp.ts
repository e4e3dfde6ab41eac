/** sharp as every job uses it: on one thread, and without a cache, which would keep pixels of the file before. */
import sharp from 'sharp'

sharp.cache(false)
sharp.concurrency(1)

export { sharp }
