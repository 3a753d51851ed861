/*
 * What newlib asks of its system. There are no files: everything written goes to the uart, nothing can be read.
 * Linked only where newlib's stdio or malloc is used.
 */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "../platform/console.h"
#include "../platform/mcu.h"
#include "../platform/rv32/boot_symbols.h"

int _write(int file, const void *bytes, size_t length);
int _read(int file, void *bytes, size_t length);
int _close(int file);
int _lseek(int file, int offset, int whence);
int _fstat(int file, struct stat *status);
int _isatty(int file);
int _kill(int pid, int signal);
int _getpid(void);
void *_sbrk(ptrdiff_t bytes);
_Noreturn void _exit(int code);
void __wrap___smakebuf_r(struct _reent *reent, FILE *file);

/*
 * newlib takes 1 KiB from malloc for a stream's buffer at its first use. Linked with --wrap=__smakebuf_r, every stream
 * gets its own one-byte buffer instead. Line buffered in name, because newlib's printf answers an unbuffered stream
 * with 1 KiB on the stack, which is all of ours.
 */
void __wrap___smakebuf_r(struct _reent *reent, FILE *file)
{
    (void)reent;
    file->_flags |= __SLBF;
    file->_bf._base = file->_p = file->_nbuf;
    file->_bf._size = 1;
}

int _write(int file, const void *bytes, size_t length)
{
    (void)file;
    mcu_uart_write(bytes, length);
    return (int)length;
}

int _read(int file, void *bytes, size_t length)
{
    (void)file, (void)bytes, (void)length;
    return 0;
}

int _close(int file)
{
    (void)file;
    errno = EBADF;
    return -1;
}

int _lseek(int file, int offset, int whence)
{
    (void)file, (void)offset, (void)whence;
    errno = ESPIPE;
    return -1;
}

/* A character device: with it stdio does not ask for a block-sized buffer. */
int _fstat(int file, struct stat *status)
{
    (void)file;
    status->st_mode = S_IFCHR;
    return 0;
}

int _isatty(int file)
{
    (void)file;
    return 1;
}

int _kill(int pid, int signal)
{
    (void)pid;
    _exit(128 + signal);
}

int _getpid(void)
{
    return 1;
}

void *_sbrk(ptrdiff_t bytes)
{
    static ptrdiff_t used;
    ptrdiff_t size = (ptrdiff_t)((uintptr_t)__heap_end - (uintptr_t)__heap_start), before = used;

    if (bytes > size - used || bytes < -used) {
        errno = ENOMEM;
        return (void *)-1;
    }
    used += bytes;
    return __heap_start + before;
}

_Noreturn void _exit(int code)
{
    mcu_exit((uint32_t)code & 0xff);
}

/* assert() says what is wrong and where, then traps. newlib's would take 5 KiB of stdio for it, and call malloc. */
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *what)
{
    console_printf("memhelm: assertion failed: %s (%s:%u, in %s)\n", what, file, (unsigned)line,
                   function ? function : "-");
    __builtin_trap();
}
