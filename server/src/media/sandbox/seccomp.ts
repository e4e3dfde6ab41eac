/**
 * The seccomp filter of the inspecting child, installed when its libraries are loaded and before it reads the file: an
 * allowlist of the calls that decoding needs. It opens no file, no socket and no process; every other call fails with
 * EPERM. The kernel enforces it for native code too, and it cannot be undone.
 */
import { type Native, openNative, type SyscallName, syscallNumber } from './syscalls.ts'

/** Calls without a condition. */
const allowed: SyscallName[] = [
  ...(['read', 'write', 'readv', 'writev', 'pread64', 'close', 'fstat', 'lseek', 'fcntl', 'pipe2'] as const),
  ...(['mmap', 'munmap', 'mprotect', 'mremap', 'madvise', 'brk', 'membarrier'] as const),
  ...(['pkey_mprotect', 'pkey_alloc', 'pkey_free'] as const),
  ...(['futex', 'futex_waitv', 'set_robust_list', 'rseq', 'set_tid_address', 'arch_prctl'] as const),
  ...(['exit', 'exit_group', 'restart_syscall'] as const),
  ...(['rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'sigaltstack'] as const),
  ...(['sched_yield', 'sched_getaffinity', 'sched_getparam', 'sched_getscheduler'] as const),
  ...(['sched_get_priority_max', 'sched_get_priority_min', 'getcpu'] as const),
  ...(['clock_gettime', 'clock_getres', 'clock_nanosleep', 'nanosleep', 'gettimeofday', 'time', 'times'] as const),
  ...(['getrandom', 'getpid', 'gettid', 'getppid', 'getuid', 'geteuid', 'getgid', 'getegid'] as const),
  ...(['uname', 'sysinfo', 'getrusage', 'getrlimit'] as const),
  ...(['epoll_create1', 'epoll_ctl', 'epoll_wait', 'epoll_pwait', 'eventfd2', 'poll', 'ppoll', 'pselect6'] as const),
]

const PR_SET_NO_NEW_PRIVS = 38
/** Thread names of V8 and of the decoders; reading back what is installed here. */
const PR_SET_NAME = 15
const PR_GET_SECCOMP = 21
const PR_GET_NO_NEW_PRIVS = 39
export const CHANNEL_FD = 3
const CLONE_THREAD = 0x10000
const EPERM = 1
const ENOSYS = 38

/** Classic BPF (linux/filter.h) and seccomp's data and results (linux/seccomp.h). */
const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_GREATER_OR_EQUAL = 0x35
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06
const RESULT_ALLOW = 0x7fff0000
const RESULT_ERROR = 0x00050000
const RESULT_KILL = 0x80000000
const OFFSET_NUMBER = 0
const OFFSET_ARCHITECTURE = 4
/** The low and the high half of an argument. */
const low = (argument: number) => 16 + argument * 8
const high = (argument: number) => low(argument) + 4
const architectures: Record<string, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }
/** x32 calls on x86-64 have this bit, and numbers of their own. */
const X32_BIT = 0x40000000

type Instruction = [code: number, jumpIf: number, jumpElse: number, value: number]

/**
 * Forbids this process all that decoding does not need, for good.
 * @returns null when the filter is active, otherwise why there is none
 */
export function installSeccomp(native: Native | null = openNative()): string | null {
  if (native === null) return 'this system has no seccomp that is known here'
  const privileges = native.call('prctl', PR_SET_NO_NEW_PRIVS, 1)
  if (privileges !== 0) return `no_new_privs is refused (error ${-privileges})`
  const installed = native.installFilter(assemble(program(process.pid)))
  if (installed !== 0) return `the kernel refuses the filter (${installed})`
  // The loop's io_uring can open files and sockets without a system call that the filter sees, so entering it is
  // forbidden, which the loop would not survive. Opened anew under the filter, it gets no io_uring and uses epoll.
  const reopened = native.reopenEventLoop()
  return reopened === 0 ? null : `the event loop cannot be opened anew (${reopened})`
}

/** Whether no_new_privs and a filter are in force, as the kernel reports it. */
export function readLayers(native: Native): { noNewPrivileges: boolean; seccomp: boolean } {
  return {
    noNewPrivileges: native.call('prctl', PR_GET_NO_NEW_PRIVS) === 1,
    seccomp: native.call('prctl', PR_GET_SECCOMP) === 2,
  }
}

function program(ownPid: number): Instruction[] {
  return [
    [LOAD, 0, 0, OFFSET_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, architectures[process.arch] ?? 0],
    [RETURN, 0, 0, RESULT_KILL],
    [LOAD, 0, 0, OFFSET_NUMBER],
    [JUMP_GREATER_OR_EQUAL, 0, 1, X32_BIT],
    [RETURN, 0, 0, RESULT_KILL],
    ...allowed.flatMap((name) => whenCalled(name, [[RETURN, 0, 0, RESULT_ALLOW]])),
    // Threads, not processes.
    ...whenCalled('clone', [[LOAD, 0, 0, low(0)], ...allowIf(JUMP_ANY_BIT, CLONE_THREAD)]),
    // Its flags are in memory, where a filter cannot read them; the C library then uses clone.
    ...whenCalled('clone3', [[RETURN, 0, 0, RESULT_ERROR | ENOSYS]]),
    // The next job and its file, by the channel alone.
    ...whenCalled('recvmsg', [[LOAD, 0, 0, low(0)], ...allowIf(JUMP_EQUAL, CHANNEL_FD)]),
    // A signal to itself: abort().
    ...whenCalled('tgkill', [[LOAD, 0, 0, low(0)], ...allowIf(JUMP_EQUAL, ownPid)]),
    ...[PR_SET_NAME, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS].flatMap((option) =>
      whenCalled('prctl', [
        [LOAD, 0, 0, low(0)],
        [JUMP_EQUAL, 0, 1, option],
        [RETURN, 0, 0, RESULT_ALLOW],
        [LOAD, 0, 0, OFFSET_NUMBER],
      ]),
    ),
    // Reads its own limits and sets none: no process id, no new limit.
    ...whenCalled('prlimit64', [
      ...[low(0), low(2), high(2)].flatMap((offset): Instruction[] => [
        [LOAD, 0, 0, offset],
        [JUMP_EQUAL, 1, 0, 0],
        [RETURN, 0, 0, RESULT_ERROR | EPERM],
      ]),
      [RETURN, 0, 0, RESULT_ALLOW],
    ]),
    [RETURN, 0, 0, RESULT_ERROR | EPERM],
  ]
}

/** Runs the instructions when the loaded number is the call's; nothing on an architecture without it. */
function whenCalled(name: SyscallName, instructions: Instruction[]): Instruction[] {
  const number = syscallNumber(name)
  return number === null ? [] : [[JUMP_EQUAL, 0, instructions.length, number], ...instructions]
}

/** Ends the program: allowed when the loaded value passes the test, else EPERM. */
function allowIf(test: number, value: number): Instruction[] {
  return [
    [test, 0, 1, value],
    [RETURN, 0, 0, RESULT_ALLOW],
    [RETURN, 0, 0, RESULT_ERROR | EPERM],
  ]
}

/** An instruction is struct sock_filter: 16 bits of code, two jumps of 8, 32 of value; little-endian. */
function assemble(instructions: Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [at, [code, jumpIf, jumpElse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(jumpIf, at * 8 + 2)
    bytes.writeUInt8(jumpElse, at * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return bytes
}
