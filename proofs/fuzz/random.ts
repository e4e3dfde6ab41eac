/** Seeded generation: the same seed makes the same values, from fast-check's arbitraries. */
import fc from 'fast-check'

/** One value of an arbitrary. `n`: its number in the run, so that a single request can be repeated alone. */
export function pick<T>(arbitrary: fc.Arbitrary<T>, seed: number, n: number): T {
  const [value] = fc.sample(arbitrary, {
    seed: (Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b)) | 0,
    numRuns: 1,
  })
  return value as T
}

const naughtyTexts = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\r\n',
    '\t',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\ud800',
    '\udfff x',
    'é'.normalize('NFD'),
    '🎬'.repeat(50),
  ],
  ...[
    "'",
    '"',
    "' or '1'='1",
    '"; drop table kinora.video; --',
    '$1',
    '%',
    '_',
    '\\',
    '%00',
    '%',
    `\${7*7}`,
    '{{7*7}}',
    '`id`',
  ],
  ...[
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '..\\..\\x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//evil.example',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    '0x10',
    '1e5',
    '1e999',
    '-0',
    '９',
    'true',
    '[]',
    '{}',
    'constructor',
  ],
  ...[
    '__proto__',
    'toString',
    'hasOwnProperty',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ],
  ...[
    '2026-13-45T99:99:99Z',
    '1970-01-01',
    '-1',
    '99999999999999999999',
    '9223372036854775808',
    '2147483648',
    '0.1',
    '1,5',
  ],
  ...[
    'a'.repeat(101),
    'a'.repeat(256),
    'a'.repeat(2049),
    'a'.repeat(5001),
    'a@b',
    `${'a'.repeat(300)}@example.com`,
    'A@EXAMPLE.COM ',
  ],
]

export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...naughtyTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
)

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -0, -1, 0.5, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 53), 5e-324, [], {}, [null]],
      ...[
        ['a', 'b'],
        { length: 1 },
        { toString: 1 },
        { constructor: { prototype: {} } },
        nested(200),
        Array(1000).fill(0),
      ],
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)
