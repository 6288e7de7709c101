#include "CVideo.h"
