#include "CStorage.h"
