/* Lends books. */
#ifndef SHELF_C
#define SHELF_C

#include <stdio.h>
#include "book.h"

#define LIMIT 3
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/** Swaps two values. */
#define SWAP(type, a, b) \
    do { \
        type t = (a); \
        (a) = (b); \
        (b) = t; \
    } while (0)

typedef unsigned int id_t;
typedef int (*compare)(const void *, const void *);

/** A shelf. */
struct shelf {
    char name[32];
    struct book *books; /* owned */
    int count;
};

typedef struct {
    int row, column;
} place_t;

typedef struct node {
    struct node *next;
} node;

/* How it is. */
enum state {
    OPEN,
    CLOSED,
};

typedef enum { RED, BLUE } colour;

union bits { int i; float f; };

struct shelf *forward(void);

/**
 * Opens a shelf.
 *
 * @param name its name
 */
struct shelf *shelf_open(const char *name, int flags);

static int counter = 0, other[3] = {1, 2, 3};

/*
 * Compares two books.
 * By title.
 */
static inline int
by_title(const void *a, const void *b)
{
    if (a == b) {
        return 0;
    }
    return 1;
}

#ifdef DEBUG
// Prints it.
void shelf_print(struct shelf *s)
{
    printf("%s\n", s->name);
}
#else
void shelf_print(struct shelf *s) { (void)s; }
#endif

int (*pick(int which))(int, int)
{
    return 0;
}

const char **names(unsigned long long n) {
    return NULL;
}

__attribute__((noreturn)) void die(void) {
    for (;;) {}
}

static const struct handler handlers[] = {
    { "open", shelf_open },
};

int main(int argc, char *argv[])
{
    return 0;
}

#endif /* SHELF_C */
