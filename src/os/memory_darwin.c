/* SPDX-License-Identifier: MIT
 *
 * Memory figures of this process and of the machine from Mach. No state.
 */
#include "usage.h"

#include <mach/mach.h>

void ab_memory_read(ab_memory *out)
{
    mach_task_basic_info_data_t info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;

    *out = (ab_memory){AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN};
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) ==
        KERN_SUCCESS) {
        out->resident_bytes = info.resident_size;
        out->peak_resident_bytes = info.resident_size_max;
        out->mapped_bytes = info.virtual_size;
    }
}

uint64_t ab_memory_available_bytes(void)
{
    vm_statistics64_data_t info;
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    mach_port_t host = mach_host_self();
    vm_size_t page_bytes = 0;

    if (host_page_size(host, &page_bytes) != KERN_SUCCESS ||
        host_statistics64(host, HOST_VM_INFO64, (host_info64_t)&info, &count) != KERN_SUCCESS) {
        return AB_UNKNOWN;
    }
    /* Inactive pages are given up on demand. */
    return ((uint64_t)info.free_count + info.inactive_count) * page_bytes;
}
