/* ETC whole: the class of an application decides what is used. */
#define IMAGE_NAME "etc"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_ETC(POLICY)
#include "common/image.h"
