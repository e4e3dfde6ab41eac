/**
 * A PostgreSQL that survives the loss of its primary, on one machine: two nodes under Patroni with synchronous
 * replication, etcd for the leader's lease, HAProxy in front, which sends every connection to the node that Patroni
 * calls the primary. Debian's packages.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/test/support/free-port.ts'

const PASSWORD = 'failover'
/** Seconds. Patroni's least TTL; a node that is gone with its Patroni loses the lease after it. */
const TTL_S = 20
const READY_MAX_MS = 180_000
const POLL_MS = 200

export type Member = { name: string; role: string; state: string; timeline?: number }
export type Kill = 'postgres' | 'node'

const programs = { etcd: 'etcd', patroni: 'patroni', haproxy: 'haproxy' }

/** @returns where the programs are; a string that says what is missing */
export function findPrograms(): { binDir: string; haproxy: string } | string {
  const dirs = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin']
  const find = (name: string) => dirs.map((dir) => path.join(dir, name)).find(existsSync)
  const missing = Object.values(programs).filter((name) => !find(name))
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map(Number) : []
  const newest = versions.filter((version) => version >= 15).sort((a, b) => b - a)[0]
  const binDir = `/usr/lib/postgresql/${newest}/bin`
  if (!existsSync(path.join(binDir, 'pg_rewind'))) missing.push('postgresql (15 or newer)')
  return missing.length > 0 ? missing.join(', ') : { binDir, haproxy: find('haproxy') ?? 'haproxy' }
}

/** PostgreSQL refuses to run as root. */
export function postgresOwner(): { uid: number; gid: number } | { uid?: never; gid?: never } {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m)
  if (!line) throw new Error('There is no user postgres, and PostgreSQL does not run as root.')
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

type Node = { name: string; port: number; restPort: number; dir: string; patroni: ChildProcess | null }

/** @param stack what is started is ended with it, also when the cluster does not come up */
export async function openCluster(
  root: string,
  { binDir, haproxy }: { binDir: string; haproxy: string },
  stack: AsyncDisposableStack,
) {
  const [etcdPort, etcdPeerPort, frontPort] = [await freePort(), await freePort(), await freePort()]
  const children = new Set<ChildProcess>()
  const start = (name: string, command: string, args: string[]) => {
    const log = openSync(path.join(root, `${name}.log`), 'a')
    const child = spawn(command, args, {
      stdio: ['ignore', log, log],
      cwd: own(path.join(root, 'run')),
      ...postgresOwner(),
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }

  const nodes: Node[] = []
  stack.defer(() => endAll(nodes, children, binDir))
  start('etcd', 'etcd', [
    '--name=etcd',
    `--data-dir=${own(path.join(root, 'etcd'))}`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
    `--initial-cluster=etcd=http://127.0.0.1:${etcdPeerPort}`,
  ])
  for (const name of ['one', 'two']) {
    const dir = own(path.join(root, name))
    const node = { name, port: await freePort(), restPort: await freePort(), dir, patroni: null }
    writeFileSync(path.join(root, `${name}.yml`), settingsOf(node, etcdPort, binDir))
    nodes.push(node)
  }
  const run = (node: Node) => {
    node.patroni = start(node.name, 'patroni', [path.join(root, `${node.name}.yml`)])
  }
  for (const node of nodes) run(node)
  writeFileSync(path.join(root, 'haproxy.cfg'), haproxySettings(frontPort, nodes))
  start('haproxy', haproxy, ['-f', path.join(root, 'haproxy.cfg'), '-db'])

  const waitFor = async (what: string, isThere: (found: Member[]) => boolean): Promise<Member[]> => {
    const endMs = Date.now() + READY_MAX_MS
    for (;;) {
      const found = await membersOf(nodes)
      if (isThere(found)) return found
      if (Date.now() > endMs) throw new Error(`${what} did not happen: ${JSON.stringify(found)}; logs in ${root}`)
      await sleep(POLL_MS)
    }
  }
  await waitFor('a primary with a synchronous standby', isRedundant)
  return {
    url: (database: string, user = 'postgres') =>
      `postgres://${user}:${PASSWORD}@127.0.0.1:${frontPort}/${database}?sslmode=disable`,
    waitForRedundancy: () => waitFor('a primary with a synchronous standby', isRedundant),
    /**
     * SIGKILL to the primary's postmaster, or first to its Patroni as well, as when the machine is gone.
     * @returns its name and timeline, and how to start it again
     */
    killPrimary: async (kind: Kill) => {
      const leader = (await membersOf(nodes)).find(({ role }) => role === 'leader')
      const node = nodes.find(({ name }) => name === leader?.name)
      if (!node) throw new Error('There is no primary.')
      const patroni = node.patroni
      if (kind === 'node') patroni?.kill('SIGKILL')
      const [pid] = readFileSync(path.join(node.dir, 'data/postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      return { name: node.name, timeline: leader?.timeline ?? 0, restart: () => kind === 'node' && run(node) }
    },
    /**
     * Every recovery begins a timeline. Patroni promotes the standby, or starts the old primary again in its place when
     * the standby did not answer in time.
     * @returns the name of the primary
     */
    waitForPrimary: async (after: { timeline: number }): Promise<string> => {
      const isNew = ({ role, state, timeline = 0 }: Member) =>
        role === 'leader' && state === 'running' && timeline > after.timeline
      return (await waitFor('a failover', (found) => found.some(isNew))).find(isNew)?.name ?? ''
    },
  }
}

/** A folder that PostgreSQL's user owns. */
function own(dir: string): string {
  const { uid, gid } = postgresOwner()
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (uid !== undefined) chownSync(dir, uid, gid)
  return dir
}

async function endAll(nodes: Node[], children: Set<ChildProcess>, binDir: string): Promise<void> {
  for (const { patroni } of nodes) patroni?.kill('SIGTERM')
  const endMs = Date.now() + 30_000
  while (nodes.some(({ patroni }) => patroni && children.has(patroni)) && Date.now() < endMs) await sleep(POLL_MS)
  for (const child of children) child.kill('SIGKILL')
  // A PostgreSQL whose Patroni was killed runs on.
  for (const { dir } of nodes) {
    spawnSync(path.join(binDir, 'pg_ctl'), ['-D', path.join(dir, 'data'), '-m', 'immediate', 'stop'], {
      stdio: 'ignore',
      ...postgresOwner(),
    })
  }
}

/** The members of the cluster, by the first node that answers. */
async function membersOf(nodes: Node[]): Promise<Member[]> {
  for (const { restPort } of nodes) {
    try {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2000) })
      return ((await response.json()) as { members: Member[] }).members
    } catch {
      // The other node knows.
    }
  }
  return []
}

/** A primary, and a standby that every commit waits for: what the next failure needs. */
const isRedundant = (found: Member[]) =>
  found.some(({ role, state }) => role === 'leader' && state === 'running') &&
  found.some(({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state))

const settingsOf = ({ name, port, restPort, dir }: Node, etcdPort: number, binDir: string): string => `
scope: kinora
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { hosts: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: ${TTL_S}
    loop_wait: 2
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    # A primary that died is not started again in its place: the standby is promoted at once.
    primary_start_timeout: 0
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters: { max_connections: 100, wal_keep_size: 256MB, wal_log_hints: 'on' }
  initdb: [ { encoding: UTF8 }, { locale: C }, data-checksums ]
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${path.join(dir, 'data')}
  bin_dir: ${binDir}
  pgpass: ${path.join(dir, 'pgpass')}
  authentication:
    superuser: { username: postgres, password: ${PASSWORD} }
    replication: { username: replicator, password: ${PASSWORD} }
    rewind: { username: rewinder, password: ${PASSWORD} }
  pg_hba:
    - local all all scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
  parameters: { unix_socket_directories: '${dir}', shared_buffers: 64MB }
`

/** Patroni answers 200 to /primary on the primary alone. Connections to a node that is no longer it are closed. */
const haproxySettings = (port: number, nodes: Node[]): string => `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: to, restPort }) => `  server ${name} 127.0.0.1:${to} check port ${restPort}`).join('\n')}
`
