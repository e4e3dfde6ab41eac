/** How this service names itself in its requests to others. */
import manifest from '../../package.json' with { type: 'json' }

export const userAgent = `Kinora/${manifest.version}`
