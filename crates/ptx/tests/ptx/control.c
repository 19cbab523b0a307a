// Control flow as compilers emit it. Made to PTX with
//   clang-22 --target=nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -O2 -nogpulib -S control.c -o control.ptx
// and, unoptimised and with source lines, to control_debug.ptx with -O0 -gline-tables-only -fdebug-compilation-dir=.
#define KERNEL __attribute__((nvptx_kernel)) void
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))
#define TID __nvvm_read_ptx_sreg_tid_x()
#define I (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + TID)

// A dense switch becomes brx.idx.
__attribute__((noinline)) static unsigned pick(unsigned k, unsigned x) {
  switch (k) {
  case 0: return x * 3;
  case 1: return x ^ 0x55;
  case 2: return x / 7;
  case 3: { unsigned s = 0; for (unsigned i = 0; i < (x & 15); i++) s += i * x; return s; }
  case 4: return ~x;
  case 5: return x << 3 | x >> 29;
  case 6: return x % 13 + 100;
  default: return 0xdead;
  }
}
KERNEL switches(const unsigned GLOBAL *in, unsigned GLOBAL *out) {
  unsigned x = in[I];
  out[I] = pick(x % 9, x) + pick(x % 7, x + 1);
}

// Nested loops with breaks, continues and early returns.
KERNEL collatz(const unsigned GLOBAL *in, unsigned GLOBAL *out, unsigned n) {
  unsigned i = I;
  if (i >= n) return;
  unsigned x = in[i], steps = 0;
  if (x == 0) { out[i] = 0xffffffff; return; }
  while (x != 1) {
    if (steps > 500) break;
    if (x & 1) { x = 3 * x + 1; steps++; continue; }
    do { x >>= 1; steps++; } while (!(x & 1));
  }
  out[i] = steps;
}

// An array in local memory, indexed by data.
KERNEL local_array(const unsigned GLOBAL *in, unsigned GLOBAL *out) {
  unsigned table[16];
  for (int k = 0; k < 16; k++) table[k] = in[(I + k) % 64];
  for (int k = 0; k < 32; k++) {
    unsigned a = table[k & 15] & 15;
    table[a] = table[a] * 5 + k;
  }
  unsigned sum = 0;
  for (int k = 0; k < 16; k++) sum = sum * 31 + table[k];
  out[I] = sum;
}

// A structure passed and returned by value, through parameter space.
struct pair { long long a; int b; short c; };
__attribute__((noinline)) static struct pair swap_up(struct pair p, int by) {
  struct pair q = {p.b + (long long)by, (int)(p.a >> 1), (short)(p.c + 1)};
  return q;
}
KERNEL structures(long long GLOBAL *out) {
  struct pair p = {(long long)I << 33, (int)I * 7, (short)I};
  if (I & 1) p = swap_up(p, 5);
  p = swap_up(p, (int)I);
  out[I] = p.a + p.b * 1000003LL + p.c;
}

static const CONSTANT int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
static GLOBAL unsigned counter = 42;
KERNEL variables(int GLOBAL *out) {
  out[I] = primes[I & 7];
  if (I == 0) out[0] = (int)__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}

// A lock taken by every thread: spinning lanes must let the holder go on.
KERNEL spin_lock(int GLOBAL *lock, int GLOBAL *count) {
  for (;;) {
    int expected = 0;
    if (__atomic_compare_exchange_n(lock, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      *(volatile int GLOBAL *)count = *(volatile int GLOBAL *)count + 1;
      __atomic_store_n(lock, 0, __ATOMIC_RELAXED);
      return;
    }
  }
}

// Each block waits for the flag of the one before it.
KERNEL chained(volatile int GLOBAL *flags) {
  int b = __nvvm_read_ptx_sreg_ctaid_x();
  if (TID != 0) return;
  int before = 0;
  if (b > 0) while ((before = flags[b - 1]) == 0) {}
  flags[b] = before + b + 1;
}
