#include "CImaging.h"
#include "Machines.h"

// Sums of 16-bit lanes stay within −6…14 times 2047, so they fit.
#define LANE int16_t
#define WIDTH 16
#define WHITE fl_white_16
#include "RowLoops.h"
#undef LANE
#undef WIDTH
#undef WHITE

#define LANE int32_t
#define WIDTH 32
#define WHITE fl_white_32
#include "RowLoops.h"
