/** Who made films, or spent credits on them: the names of the ids in `madeBy`. */
import { Type } from 'typebox'
import { TextOrNull } from './request/envelope.ts'

export const Makers = Type.Array(
  Type.Object(
    {
      id: Type.String({ format: 'uuid' }),
      name: TextOrNull('null: a former member, an API key that was deleted, or a program that was disconnected'),
      kind: Type.Enum(['member', 'key', 'program'], { description: 'program: connected by OAuth' }),
    },
    { title: 'Maker', examples: [{ id: '01939b1e-1111-7aaa-8bbb-000000000001', name: 'Ann', kind: 'member' }] },
  ),
  {
    description: 'Who made these: members of the team, API keys, or connected programs; none for sessions of your own',
  },
)
