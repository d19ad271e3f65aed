/* SPDX-License-Identifier: MIT
 *
 * A program of the build: `allocbench_documents manual FILE` writes the man page, and
 * `allocbench_documents completion LOGIC FILE` the bash completion: what the tables hold, followed
 * by the text of LOGIC. Neither is committed, so neither can be out of date.
 */
#include "documents.h"

#include "os/output.h"

#include <stdio.h>
#include <string.h>

static bool add_file(ab_text *out, const char *path)
{
    char block[4096];
    size_t got;
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        return false;
    }
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        ab_text_add(out, "%.*s", (int)got, block);
    }
    bool is_whole = !ferror(file);
    fclose(file);
    return is_whole;
}

static bool write_file(const ab_text *text, const char *path)
{
    ab_output out;

    if (text->is_short || ab_output_open(&out, path) != 0) {
        return false;
    }
    bool is_written =
        ab_output_begin(&out) == 0 && ab_output_write(&out, text->bytes, text->length) == 0;
    return ab_output_close(&out) == 0 && is_written;
}

int main(int argc, char **argv)
{
    ab_text text = {0};
    bool is_made = false;

    if (argc == 3 && strcmp(argv[1], "manual") == 0) {
        ab_manual(&text);
        is_made = true;
    } else if (argc == 4 && strcmp(argv[1], "completion") == 0) {
        ab_completion(&text);
        is_made = add_file(&text, argv[2]);
    } else {
        fprintf(stderr, "usage: allocbench_documents manual FILE | completion LOGIC FILE\n");
        return 2;
    }
    is_made = is_made && write_file(&text, argv[argc - 1]);
    ab_text_free(&text);
    if (!is_made) {
        fprintf(stderr, "allocbench_documents: cannot make %s\n", argv[argc - 1]);
    }
    return is_made ? 0 : 1;
}
