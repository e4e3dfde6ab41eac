/** A model with every mode that the studio knows, and one of its own, which the simulator makes. */
import { addModel } from '../../server/test/support/changed-models.ts'
import { stageRoutes } from '../../server/test/support/stage.ts'

export const addManyModes = (): void =>
  addModel('many-modes', {
    name: 'Many Modes',
    routes: stageRoutes,
    modes: {
      'text-to-video': { duration: [4, 8], quality: ['720p'], aspectRatio: ['16:9', '9:16'] },
      'image-to-video': {},
      'first-last': {},
      reference: {
        inputs: { reference: { from: 1, to: 6, image: { to: 4 }, film: { to: 2 }, sound: { to: 2 } } },
      },
      keyframes: { inputs: { keyframe: { from: 2, to: 4 } } },
      extend: {},
      edit: {
        duration: { follows: 'film', from: 1, to: 10 },
        inputs: { film: { seconds: { from: 1, to: 10 } }, reference: { from: 0, to: 2 } },
      },
      motion: { duration: { follows: 'motion', from: 1, to: 30 }, prompt: 'optional' },
      'lip-sync': { duration: { follows: 'sound', from: 1, to: 60 }, prompt: 'none' },
      avatar: { duration: { follows: 'sound', from: 1, to: 60 }, prompt: 'optional' },
      dream: { duration: { follows: 'vendor', from: 4, to: 8 }, inputs: { start: {}, sound: { from: 0 } } },
    },
  })
