/** The fields of a video that are about its stored files, and about what these say of where they come from. */
import { Type } from 'typebox'
import { orNull, read, shown, Text } from './describe.ts'

const withFiles = ['list', 'detail', 'share', 'explore', 'compatible', 'webhook', 'export'] as const
const hasFiles = 'v.files_removed_at is null and v.deleted_at is null'

export const fileFields = {
  /** Storage keys; null until the film is stored, and once it is removed. They contain the user id. */
  videoKey: read(`case when ${hasFiles} then v.video_key end`, orNull(Text), withFiles),
  thumbnailKey: read(`case when ${hasFiles} then v.thumbnail_key end`, orNull(Text), [...withFiles, 'change']),
  manifestKey: read(`case when ${hasFiles} then v.manifest_key end`, orNull(Text), [
    'detail',
    'share',
    'explore',
    'export',
  ]),
  sha256: shown(
    `(select encode(p.film_sha256, 'hex') from kinora.video_provenance p where p.user_id = v.user_id and p.video_id = v.id)`,
    orNull(Text, 'SHA-256 of the film, for POST /api/v1/provenance/verify; null: the film is not signed'),
    '9f86d081884c7d65'.repeat(4),
    ['share', 'explore'],
  ),
  provenance: shown(
    `case when v.status = 'COMPLETED' then (select jsonb_build_object('signed', count(p.signed_at) > 0, 'signer', max(p.signer), 'label', case when bool_or(p.is_labelled) then 'AIGC' end) from kinora.video_provenance p where p.user_id = v.user_id and p.video_id = v.id) end`,
    orNull(
      Type.Object(
        {
          signed: Type.Boolean({ description: 'Whether the film has signed content credentials (C2PA)' }),
          signer: orNull(Text, 'Whose certificate they are signed with'),
          label: orNull(Type.Literal('AIGC'), 'AIGC: the film has the label of GB 45438-2025'),
          manifestUrl: Type.Optional(
            orNull(Text, 'Signed link to a manifest beside the film; null: it is in the film. Not in webhooks'),
          ),
        },
        { title: 'VideoProvenance' },
      ),
      'How the film says that it is made by AI; null until it is COMPLETED',
    ),
    { signed: true, signer: 'Example Films Ltd', label: null },
    ['detail', 'event'],
  ),
}
