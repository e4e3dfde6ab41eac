/**
 * CPU time of one image inspection behind each combination of sandbox layers: `node bench/media-child.ts [runs]`. CPU time of the
 * whole chain of programs, from this process's account of children that it has waited for.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { runChild } from '../server/src/media/child-process.ts'
import type { ImageLimits } from '../server/src/media/image/refusal.ts'
import { launchesToTry } from '../server/src/media/sandbox/launch.ts'

const runs = Number(process.argv[2] ?? 20)
const TICKS_A_SECOND = 100

const limits: ImageLimits = {
  sidePixelsMin: 64,
  sidePixelsMax: 64,
  pixelsMax: 4096,
  costMaxBytes: 1_000_000,
  storedSidePixelsMax: 64,
  storedMaxBytes: 100_000,
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 10,
  timeoutMs: 60_000,
}

const dir = await mkdtemp(path.join(tmpdir(), 'kinora-bench-'))
const file = path.join(dir, 'image')
await writeFile(
  file,
  await sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
    .png()
    .toBuffer(),
)

for (const launch of launchesToTry().reverse()) {
  for (const seccomp of [false, true]) {
    const beforeS = childrenCpuS()
    try {
      for (let n = 0; n < runs; n++) await inspect({ launch, seccomp })
    } catch (error) {
      console.log(
        `${launch.kind}${seccomp ? ' + seccomp' : ''}: not on this machine (${(error as Error).message.trim()})`,
      )
      continue
    }
    const ms = ((childrenCpuS() - beforeS) / runs) * 1000
    console.log(`${launch.kind}${seccomp ? ' + seccomp' : ''}: ${Math.round(ms)} ms of CPU time`)
  }
}
await rm(dir, { recursive: true })

async function inspect(layers: Parameters<typeof runChild>[2]['layers']): Promise<void> {
  await using handle = await open(file, 'r')
  const refused = (code: string, cause: string) => new Error(`${code}: ${cause}`)
  await runChild(handle.fd, { script: 'image/child.ts', limits, replyMaxBytes: 200_000, refused }, { layers })
}

/** Fields 16 and 17 of /proc/self/stat: user and system time of children, in ticks. */
function childrenCpuS(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND
}
