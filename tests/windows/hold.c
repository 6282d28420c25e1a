/* hold PATH r|w|n: holds a file open until standard input ends, while others may read it, read and write it, or do neither. */
#include <windows.h>
#include <stdio.h>

int wmain(int count, wchar_t **words)
{
    DWORD share = 0;
    if (count != 3)
        return 2;
    if (words[2][0] == L'r')
        share = FILE_SHARE_READ;
    if (words[2][0] == L'w')
        share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    if (CreateFileW(words[1], GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE)
        return 1;
    puts("held");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
