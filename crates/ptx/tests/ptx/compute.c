// Kernels of the speed benchmark and of the tests of whole programs. Made to PTX with
//   clang-22 --target=nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -O3 -ffp-contract=fast -nogpulib -S compute.c -o compute.ptx
#define KERNEL __attribute__((nvptx_kernel)) void
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))
#define TID __nvvm_read_ptx_sreg_tid_x()
#define TIDY __nvvm_read_ptx_sreg_tid_y()
#define BID __nvvm_read_ptx_sreg_ctaid_x()
#define BIDY __nvvm_read_ptx_sreg_ctaid_y()
#define NTID __nvvm_read_ptx_sreg_ntid_x()
#define SYNC __nvvm_bar_sync(0)

// Eight independent chains of fused multiply-adds.
KERNEL fma_chains(float GLOBAL *out, float a, float b, int steps) {
  int i = BID * NTID + TID;
  float x[8];
  for (int k = 0; k < 8; k++) x[k] = i + k;
#pragma nounroll
  for (int s = 0; s < steps; s++)
#pragma unroll
    for (int k = 0; k < 8; k++) x[k] = x[k] * a + b;
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += x[k];
  out[i] = sum;
}

// C = A B for square matrices whose size is a multiple of 16, 16 x 16 threads, tiles in shared memory.
static float SHARED ta[16][16], tb[16][16];
KERNEL matmul_tiled(const float GLOBAL *a, const float GLOBAL *b, float GLOBAL *c, int n) {
  int x = TID, y = TIDY, col = BID * 16 + x, row = BIDY * 16 + y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    SYNC;
    for (int k = 0; k < 16; k++) sum += ta[y][k] * tb[k][x];
    SYNC;
  }
  c[row * n + col] = sum;
}

// Iterations until escape: lanes leave the loop at different times.
KERNEL mandelbrot(int GLOBAL *out, int width, int height, int limit) {
  int i = BID * NTID + TID;
  if (i >= width * height) return;
  float cx = (i % width) * 3.0f / width - 2.0f, cy = (i / width) * 2.0f / height - 1.0f;
  float x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  out[i] = n;
}

// Per-block histogram in shared memory, merged with atomics.
static unsigned SHARED bins[64];
KERNEL histogram(const unsigned GLOBAL *in, unsigned GLOBAL *out, int n) {
  if (TID < 64) bins[TID] = 0;
  SYNC;
  for (int i = BID * NTID + TID; i < n; i += NTID * __nvvm_read_ptx_sreg_nctaid_x())
    __atomic_fetch_add(&bins[in[i] & 63], 1, __ATOMIC_RELAXED);
  SYNC;
  if (TID < 64) __atomic_fetch_add(&out[TID], bins[TID], __ATOMIC_RELAXED);
}
