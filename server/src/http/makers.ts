/** Who made films or spent credits (the ids in `madeBy`), and who answers for a team's key or endpoint. */
import { Type } from 'typebox'
import { TextOrNull, TimestampOrNull } from './request/envelope.ts'

export const authorityFields = {
  madeBy: Type.Union(
    [
      Type.Object(
        { id: Type.String({ format: 'uuid' }), name: TextOrNull('null: a former member') },
        { title: 'MadeBy', examples: [{ id: '01939b1e-1111-7aaa-8bbb-000000000001', name: 'Ann' }] },
      ),
      Type.Null(),
    ],
    { description: 'The member of the team who answers for it; null: it is your own' },
  ),
  suspendedAt: TimestampOrNull(
    'Since when it is suspended, because an administrator has locked or deleted the account of its maker',
  ),
  endsAt: TimestampOrNull('When it ends unless an owner takes it over; null: it is not suspended'),
}
export const authorityExample = {
  madeBy: { id: '01939b1e-1111-7aaa-8bbb-000000000001', name: 'Ann' },
  suspendedAt: null,
  endsAt: null,
}

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
    title: 'Makers',
    description: 'Who made these: members of the team, API keys, or connected programs; none for sessions of your own',
  },
)
