/**
 * System calls of the inspecting child by number, through the C library's `syscall`: Node has none of these. Numbers:
 * Linux's tables for x86-64 and for arm64.
 */
import { createRequire } from 'node:module'

/** Name: number on x64, on arm64; null: it does not exist there. */
const numbers = {
  read: [0, 63],
  write: [1, 64],
  readv: [19, 65],
  writev: [20, 66],
  pread64: [17, 67],
  close: [3, 57],
  fstat: [5, 80],
  lseek: [8, 62],
  fcntl: [72, 25],
  mmap: [9, 222],
  munmap: [11, 215],
  mprotect: [10, 226],
  mremap: [25, 216],
  madvise: [28, 233],
  brk: [12, 214],
  pkey_mprotect: [329, 288],
  pkey_alloc: [330, 289],
  pkey_free: [331, 290],
  membarrier: [324, 283],
  futex: [202, 98],
  futex_waitv: [449, 449],
  set_robust_list: [273, 99],
  rseq: [334, 293],
  set_tid_address: [218, 96],
  clone: [56, 220],
  clone3: [435, 435],
  exit: [60, 93],
  exit_group: [231, 94],
  arch_prctl: [158, null],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  sigaltstack: [131, 132],
  tgkill: [234, 131],
  restart_syscall: [219, 128],
  sched_yield: [24, 124],
  sched_getaffinity: [204, 123],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  sched_get_priority_max: [146, 125],
  sched_get_priority_min: [147, 126],
  getcpu: [309, 168],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  nanosleep: [35, 101],
  gettimeofday: [96, 169],
  time: [201, null],
  times: [100, 153],
  getrandom: [318, 278],
  getpid: [39, 172],
  gettid: [186, 178],
  getppid: [110, 173],
  getuid: [102, 174],
  geteuid: [107, 175],
  getgid: [104, 176],
  getegid: [108, 177],
  uname: [63, 160],
  sysinfo: [99, 179],
  getrusage: [98, 165],
  getrlimit: [97, 163],
  prlimit64: [302, 261],
  prctl: [157, 167],
  seccomp: [317, 277],
  epoll_create1: [291, 20],
  epoll_ctl: [233, 21],
  epoll_wait: [232, null],
  epoll_pwait: [281, 22],
  eventfd2: [290, 19],
  poll: [7, null],
  ppoll: [271, 73],
  pselect6: [270, 72],
  pipe2: [293, 59],
  openat: [257, 56],
  sendmsg: [46, 211],
  recvmsg: [47, 212],
  socket: [41, 198],
  connect: [42, 203],
  kill: [62, 129],
  io_uring_enter: [426, 426],
} as const

export type SyscallName = keyof typeof numbers

/** @returns the call's number on this machine's architecture; null when there is none */
export function syscallNumber(name: SyscallName): number | null {
  const [x64, arm64] = numbers[name]
  return process.arch === 'x64' ? x64 : process.arch === 'arm64' ? arm64 : null
}

export type Native = {
  /** @returns the call's result, or minus the error number */
  call: (name: SyscallName, ...args: (number | bigint | Uint8Array | null)[]) => number
  /** Installs a seccomp filter for all threads. @returns 0, minus the error number, or a refusing thread's id */
  installFilter: (program: Uint8Array) => number
  /**
   * Sends bytes over a socket, and open files with them (unix(7), SCM_RIGHTS). The receiver may do with them what they
   * were opened for. @returns the bytes sent, or minus the error number
   */
  sendFiles: (socket: number, bytes: Uint8Array, files: number[]) => number
  /** Waits for what `sendFiles` sends. @returns how many bytes, or minus the error number, and the files */
  receiveFiles: (socket: number, bytes: Uint8Array) => { length: number; files: number[] }
  /** Opens the event loop's kernel resources anew. @returns 0, or minus the error number */
  reopenEventLoop: () => number
}

const SECCOMP_SET_MODE_FILTER = 1
const SECCOMP_FILTER_FLAG_TSYNC = 1
const INSTRUCTION_BYTES = 8
const SOL_SOCKET = 1
const SCM_RIGHTS = 1
const MSG_CMSG_CLOEXEC = 0x40000000
/** struct cmsghdr: a length of 8 bytes, level and type of 4; behind it 4 bytes of each file, padded to 8. */
const CONTROL_HEADER_BYTES = 16
/** A cut has the most: fifty takes and a sound. */
const FILES_MAX = 64

let opened: Native | null = null

/** @returns null on a system without these calls, or where the native library is missing */
export function openNative(): Native | null {
  opened ??= bind()
  return opened
}

function bind(): Native | null {
  if (process.platform !== 'linux' || syscallNumber('seccomp') === null) return null
  const koffi = loadKoffi()
  if (koffi === null) return null
  const libc = koffi.load(null)
  const plain = libc.func('long syscall(long number, intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e)')
  const withBytes = libc.func('long syscall(long number, intptr_t a, void *b, intptr_t c, intptr_t d, intptr_t e)')
  koffi.struct('sock_fprog', { length: 'uint16_t', filter: 'void *' })
  const withProgram = libc.func('long syscall(long number, intptr_t operation, intptr_t flags, sock_fprog *program)')
  koffi.struct('iovec', { base: 'void *', length: 'size_t' })
  koffi.struct('msghdr', {
    ...{ name: 'void *', nameLength: 'size_t', parts: 'iovec *', partCount: 'size_t' },
    ...{ control: 'void *', controlLength: 'size_t', flags: 'size_t' },
  })
  const withMessage = libc.func('long syscall(long number, intptr_t socket, msghdr *message, intptr_t flags)')
  const defaultLoop = libc.func('void *uv_default_loop()')
  const reopen = libc.func('int uv_loop_fork(void *loop)')
  const result = (value: number | bigint) => (Number(value) === -1 ? -koffi.errno() : Number(value))
  return {
    call: (name, a = 0, b = 0, c = 0, d = 0, e = 0) => {
      const run = typeof b === 'object' ? withBytes : plain
      return result(run(syscallNumber(name), a, b, c, d, e))
    },
    installFilter: (filter) =>
      result(
        withProgram(syscallNumber('seccomp'), SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, {
          length: filter.length / INSTRUCTION_BYTES,
          filter,
        }),
      ),
    sendFiles: (socket, bytes, files) => {
      const control = controlFor(files.length)
      const values = [SOL_SOCKET, SCM_RIGHTS, ...files]
      control.writeBigUInt64LE(BigInt(CONTROL_HEADER_BYTES + files.length * 4), 0)
      for (const [index, value] of values.entries()) control.writeInt32LE(value, 8 + index * 4)
      return result(withMessage(syscallNumber('sendmsg'), socket, messageHeader(bytes, control), 0))
    },
    receiveFiles: (socket, bytes) => {
      const control = controlFor(FILES_MAX)
      const header = messageHeader(bytes, control)
      const length = result(withMessage(syscallNumber('recvmsg'), socket, header, MSG_CMSG_CLOEXEC))
      const count = Math.max(0, (Number(control.readBigUInt64LE(0)) - CONTROL_HEADER_BYTES) / 4)
      return { length, files: Array.from({ length: count }, (_, at) => control.readInt32LE(16 + at * 4)) }
    },
    reopenEventLoop: () => reopen(defaultLoop()),
  }
}

const controlFor = (files: number): Buffer => Buffer.alloc(CONTROL_HEADER_BYTES + Math.ceil(files / 2) * 8)

/** struct msghdr as the kernel has it. */
const messageHeader = (bytes: Uint8Array, control: Uint8Array) => ({
  ...{ name: null, nameLength: 0, parts: { base: bytes, length: bytes.length }, partCount: 1 },
  ...{ control, controlLength: control.length, flags: 0 },
})

function loadKoffi(): typeof import('koffi') | null {
  try {
    return createRequire(import.meta.url)('koffi')
  } catch {
    return null
  }
}
