// The loops that both widths of lane share; included once for each with LANE, WIDTH and WHITE defined.
//
// Vectors hold 16 lanes whatever the machine's width is: the compiler cuts them up. They are loaded from addresses that
// are aligned to a lane only.

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(name) JOIN(name, WIDTH)
#define VECTOR NAMED(vector)
#define AT(pointer) (*(const VECTOR *)(pointer))
#define PUT(pointer) (*(VECTOR *)(pointer))
// Within 0 and full scale.
#define LIMITED(v) ({ VECTOR v_ = (v); v_ &= v_ > 0; VECTOR in_ = v_ < white; (v_ & in_) | (white & ~in_); })

typedef LANE VECTOR __attribute__((vector_size(LANES * sizeof(LANE)), aligned(sizeof(LANE))));

EVERY_MACHINE
void NAMED(fl_demosaic_row)(
    const LANE *const rows[5], size_t count, int isOwnFirst, LANE *own, LANE *green, LANE *other) {
    const LANE *above2 = rows[0], *above = rows[1], *here = rows[2], *below = rows[3], *below2 = rows[4];
    const VECTOR white = (VECTOR){} + WHITE;
    VECTOR isOwn;
    for (int lane = 0; lane < LANES; lane++) isOwn[lane] = (lane % 2 == 0) == (isOwnFirst != 0) ? -1 : 0;
    for (size_t i = 0; i < count; i += LANES) {
        const VECTOR centre = AT(here + i);
        const VECTOR sides = AT(here + i - 1) + AT(here + i + 1);
        const VECTOR ends = AT(above + i) + AT(below + i);
        const VECTOR farSides = AT(here + i - 2) + AT(here + i + 2);
        const VECTOR farEnds = AT(above2 + i) + AT(below2 + i);
        const VECTOR corners =
            (AT(above + i - 1) + AT(above + i + 1)) + (AT(below + i - 1) + AT(below + i + 1));
        // All four in eighths, with a half of the last place added.
        const VECTOR four = (centre << 2) + 4;
        const VECTOR five = four + centre - corners;
        const VECTOR far = farSides + farEnds;
        const VECTOR cross = (four + ((sides + ends) << 1) - far) >> 3;
        const VECTOR along = (five + (sides << 2) - farSides + (farEnds >> 1)) >> 3;
        const VECTOR across = (five + (ends << 2) - farEnds + (farSides >> 1)) >> 3;
        const VECTOR diagonal = (four + (centre << 1) + (corners << 1) - (far + (far >> 1))) >> 3;
        PUT(own + i) = LIMITED((centre & isOwn) | (along & ~isOwn));
        PUT(green + i) = LIMITED((cross & isOwn) | (centre & ~isOwn));
        PUT(other + i) = LIMITED((diagonal & isOwn) | (across & ~isOwn));
    }
}

#undef LIMITED
#undef PUT
#undef AT
#undef VECTOR
#undef NAMED
#undef JOIN
#undef JOIN_
