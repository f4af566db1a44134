// What it costs to put a thread to sleep and wake another: two of them pass a byte to and fro.
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROUNDS = 200000 };
static int there[2], back[2];

static void *answer(void *unused) {
    char byte;
    for (int i = 0; i < ROUNDS; i++)
        if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1) break;
    return unused;
}

int main(void) {
    pthread_t thread;
    char byte = 0;
    if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, answer, NULL)) return 1;
    for (int i = 0; i < ROUNDS; i++)
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) return 1;
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double us = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + used.ru_utime.tv_usec +
                used.ru_stime.tv_usec;
    printf("%.2f\n", us / ROUNDS / 2);  // each round trip is two switches
    return 0;
}
