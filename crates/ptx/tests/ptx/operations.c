// One value per arithmetic feature, to compare what clang makes of it at different levels and for different targets:
// all must agree bit for bit. Made to PTX with
//   clang-22 --target=nvptx64-nvidia-cuda -march=sm_75 -Xclang -target-feature -Xclang +ptx63 -O0 -ffp-contract=off -nogpulib -S operations.c -o operations_sm75_o0.ptx
//   clang-22 --target=nvptx64-nvidia-cuda -march=sm_90 -Xclang -target-feature -Xclang +ptx78 -O3 -ffp-contract=off -nogpulib -S operations.c -o operations_sm90_o3.ptx
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;
typedef int i32;
typedef unsigned short u16;
typedef short i16;
typedef unsigned char u8;
typedef signed char i8;
#define GLOBAL __attribute__((address_space(1)))
#define N 72

static inline float F(u64 x) { u32 v = (u32)x; float f; __builtin_memcpy(&f, &v, 4); return f; }
static inline double D(u64 x) { double f; __builtin_memcpy(&f, &x, 8); return f; }
static inline _Float16 H(u64 x) { u16 v = (u16)x; _Float16 f; __builtin_memcpy(&f, &v, 2); return f; }
// The bits, with one pattern for every NaN.
static inline u64 UF(float f) { u32 v; __builtin_memcpy(&v, &f, 4); return f != f ? 0x7fc00000 : v; }
static inline u64 UD(double f) { u64 v; __builtin_memcpy(&v, &f, 8); return f != f ? 0x7ff8000000000000ull : v; }
static inline u64 UH(_Float16 f) { u16 v; __builtin_memcpy(&v, &f, 2); return f != f ? 0x7e00 : v; }

__attribute__((nvptx_kernel)) void operations(const u64 GLOBAL *in, u64 GLOBAL *out) {
  int i = __nvvm_read_ptx_sreg_ctaid_x() * 128 + __nvvm_read_ptx_sreg_tid_x(), k = 0;
  u64 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  u32 a3 = a, b3 = b, c3 = c;
  i32 as = a, bs = b;
  u16 ah = a, bh = b;
  u8 a8 = a, b8 = b;
  float fa = F(a), fb = F(b), fc = F(c);
  double da = D(a), db = D(b), dc = D(c);
  u64 o[N];
  o[k++] = a+b*c;
  o[k++] = (u64)((unsigned __int128)a*b>>64);
  o[k++] = (u64)((__int128)(i64)a*(i64)b>>40);
  o[k++] = b?a/b:0;
  o[k++] = b?a%b:1;
  o[k++] = bs&&!(as==-2147483647-1&&bs==-1)?as/bs:3;
  o[k++] = b3?a3%b3:0;
  o[k++] = b8?a8/b8:7;
  o[k++] = (u64)(i64)(i8)a;
  o[k++] = (u64)(i64)(i16)(a+b);
  o[k++] = a3<<(b3&31)|a3>>(-b3&31);
  o[k++] = a<<(b&63)|a>>(-b&63);
  o[k++] = (u64)((i64)a>>(b&63));
  o[k++] = (u32)((i32)a>>(b&31));
  o[k++] = __builtin_bswap32(a3);
  o[k++] = __builtin_bswap64(a);
  o[k++] = a?__builtin_clzll(a):64;
  o[k++] = a3?__builtin_ctz(a3):32;
  o[k++] = __builtin_popcountll(a^b);
  o[k++] = ah?__builtin_clz((u32)ah):5;
  o[k++] = a3<b3?a:c;
  o[k++] = (i64)a<(i64)b?a:b;
  o[k++] = (i64)a>(i64)b?a:b;
  o[k++] = a3>b3?a3:b3;
  o[k++] = as<bs?as:bs;
  o[k++] = (u16)(ah*bh);
  o[k++] = (u8)(a8*b8+3);
  o[k++] = as<0?-(u32)as:as;
  o[k++] = (a3>>7)&0x1ff;
  o[k++] = (i32)(a3<<11)>>20;
  o[k++] = (a&0xff00)|(b&0x00ff);
  o[k++] = (a3&b3)|(~a3&c3);
  o[k++] = a3^b3^c3;
  o[k++] = __builtin_bitreverse32(a3);
  o[k++] = __builtin_bitreverse64(b);
  o[k++] = UF(fa+fb);
  o[k++] = UF(fa*fb);
  o[k++] = UF(fa/fb);
  o[k++] = UF(__builtin_fmaf(fa,fb,fc));
  o[k++] = UF(__builtin_sqrtf(fa));
  o[k++] = UF(fa<fb?fa:fb);
  o[k++] = UF(__builtin_fabsf(fa)-fb);
  o[k++] = UF(__builtin_floorf(fa));
  o[k++] = UF(__builtin_ceilf(fb));
  o[k++] = UF(__builtin_truncf(fc));
  o[k++] = UF(__builtin_rintf(fa));
  o[k++] = UF(__builtin_copysignf(fa,fb));
  o[k++] = UF((float)as)+UF((float)b3);
  o[k++] = UF((float)(i64)a)^UF((float)b);
  o[k++] = UD((double)(i64)a)^UD((double)b);
  o[k++] = UD((double)fa);
  o[k++] = UF((float)da);
  o[k++] = fa>-2e9f&&fa<2e9f?(i32)fa:1;
  o[k++] = fa>=0&&fa<4e9f?(u32)fa:1;
  o[k++] = da>-9e18&&da<9e18?(i64)da:1;
  o[k++] = da>=0&&da<1.8e19?(u64)da:1;
  o[k++] = (fa>-3e4f&&fa<3e4f)?(u16)(i16)fa:9;
  o[k++] = UD(da+db);
  o[k++] = UD(da*db);
  o[k++] = UD(da/db);
  o[k++] = UD(__builtin_fma(da,db,dc));
  o[k++] = UD(__builtin_sqrt(da));
  o[k++] = UD(__builtin_floor(da));
  o[k++] = UD(-da);
  o[k++] = (fa<fb)|(fa<=fb)<<1|(fa==fb)<<2|(fa!=fb)<<3|(!(fa<fb))<<4|(!(fa>=fb))<<5|__builtin_isunordered(fa,fb)<<6|(da<db)<<7|(!(da>db))<<8;
  o[k++] = (a<b)+2*((i64)a<(i64)b)+4*(a3<=b3)+8*(as>=bs)+16*(ah==bh)+32*(a8!=b8)+64*((i8)a8<(i8)b8);
  o[k++] = UH(H(a)+H(b));
  o[k++] = UH(H(a)*H(b));
  o[k++] = UH((_Float16)fa);
  o[k++] = UF((float)H(b));
  o[k++] = (H(a)<H(b));
  o[k++] = UH(-H(a));
  for (k = 0; k < N; k++) out[(u64)i * N + k] = o[k];
}
