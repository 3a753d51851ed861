#include "../image/common/fw.h"
#include "boot.h"

/* start.S lets interrupts in when this returns, and sleeps between them. */
int main(void)
{
    fw_init(&fw_image);
    heap_seal();
    return 0;
}
