MemcpyHtoD,0x00007f0000000000,8192
MemcpyHtoD,0x00007f0000a00000,16384
kernel-1.traceg
kernel-2.traceg
MemcpyDtoH,0x00007f0000000000,8192
kernel-3.traceg.xz
